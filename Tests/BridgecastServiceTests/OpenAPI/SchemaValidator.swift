// A small validator of JSON Schema (2020-12), for the keywords that the description of the service uses; the tests of
// answers use it.
import BridgecastCore

/// Compares values with schemas of a document.
struct SchemaValidator {
    /// The document that `$ref` refers to.
    let document: JSONValue

    /// Keywords that say nothing about what is valid.
    private static let words: Set<String> = ["description", "default", "example", "examples"]

    /// What is wrong with a value, each thing with its place; empty if it is valid.
    ///
    /// A keyword that is not known is wrong too, so that none is passed over.
    func problems(_ value: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
        guard let keywords = schema.fields else {
            return schema == .bool(true) ? [] : ["\(place): nothing may stand here"]
        }
        return keywords.sorted { $0.key < $1.key }.flatMap { name, argument in
            problems(value, keyword: name, argument, keywords, place)
        }
    }

    private func problems(
        _ value: JSONValue, keyword: String, _ argument: JSONValue,
        _ schema: [String: JSONValue], _ place: String
    ) -> [String] {
        switch keyword {
        case "$ref":
            guard let aim = resolve(argument) else {
                return ["\(place): \(argument) leads nowhere"]
            }
            return problems(value, aim, at: place)
        case "type":
            let types = argument.text.map { [$0] } ?? argument.texts
            let isRight =
                types.contains(value.type) || value.type == "integer" && types.contains("number")
            return isRight ? [] : ["\(place): \(value.type) in place of \(types)"]
        case "enum":
            return argument.values?.contains(value) == true
                ? [] : ["\(place): \(value) is none of those there are"]
        case "const": return value == argument ? [] : ["\(place): \(value) is not \(argument)"]
        case "required", "properties", "additionalProperties", "propertyNames":
            return value.fields.map { ofObject($0, keyword, argument, schema, place) } ?? []
        case "items", "prefixItems", "minItems", "maxItems":
            return value.values.map { ofList($0, keyword, argument, place) } ?? []
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            return value.number.map { ofNumber($0, keyword, argument, place) } ?? []
        case "minLength", "maxLength", "format":
            return value.text.map { ofText($0, keyword, argument, place) } ?? []
        case "oneOf", "anyOf", "not": return combined(value, keyword, argument, place)
        default: return Self.words.contains(keyword) ? [] : ["\(place): unknown keyword \(keyword)"]
        }
    }

    /// The part of the document that a reference names.
    func resolve(_ reference: JSONValue) -> JSONValue? {
        guard let path = reference.text, path.hasPrefix("#/") else { return nil }
        return path.dropFirst(2).split(separator: "/").reduce(Optional(document)) {
            $0?[String($1)]
        }
    }

    private func ofObject(
        _ fields: [String: JSONValue], _ keyword: String, _ argument: JSONValue,
        _ schema: [String: JSONValue], _ place: String
    ) -> [String] {
        switch keyword {
        case "required":
            return argument.texts.filter { fields[$0] == nil }.map { "\(place): \($0) is missing" }
        case "properties":
            return (argument.fields ?? [:]).flatMap { name, schema in
                fields[name].map { problems($0, schema, at: "\(place).\(name)") } ?? []
            }
        case "propertyNames":
            return fields.keys.flatMap { problems(.text($0), argument, at: "\(place), a name") }
        default:
            let known = schema["properties"]?.fields ?? [:]
            return fields.filter { known[$0.key] == nil }.flatMap { name, value in
                problems(value, argument, at: "\(place).\(name)")
            }
        }
    }

    private func ofList(
        _ values: [JSONValue], _ keyword: String, _ argument: JSONValue, _ place: String
    ) -> [String] {
        switch keyword {
        case "minItems" where Double(values.count) < argument.number ?? 0,
            "maxItems" where Double(values.count) > argument.number ?? 0:
            return ["\(place): \(values.count) values, against \(keyword)"]
        case "items":
            return values.enumerated().flatMap { problems($1, argument, at: "\(place)[\($0)]") }
        case "prefixItems":
            return zip(values, argument.values ?? []).flatMap { problems($0, $1, at: place) }
        default: return []
        }
    }

    private func ofNumber(
        _ number: Double, _ keyword: String, _ argument: JSONValue, _ place: String
    ) -> [String] {
        let limit = argument.number ?? .nan
        let isRight =
            switch keyword {
            case "minimum": number >= limit
            case "maximum": number <= limit
            case "exclusiveMinimum": number > limit
            default: number < limit
            }
        return isRight ? [] : ["\(place): \(number) against \(keyword) \(limit)"]
    }

    private func ofText(
        _ text: String, _ keyword: String, _ argument: JSONValue, _ place: String
    ) -> [String] {
        let isRight =
            switch (keyword, argument.text) {
            case ("minLength", _): Double(text.unicodeScalars.count) >= argument.number ?? .nan
            case ("maxLength", _): Double(text.unicodeScalars.count) <= argument.number ?? .nan
            case (_, "date"): TimeText.parseDate(text) != nil
            case (_, "date-time"): hasOffset(text) && (try? TimeText.parse(text)) != nil
            default: false
            }
        return isRight ? [] : ["\(place): '\(text)' against \(keyword) \(argument)"]
    }

    /// Seattle times without an offset are read too, but no answer may have one.
    private func hasOffset(_ text: String) -> Bool {
        text.hasSuffix("Z") || text.wholeMatch(of: /.*[+-]\d\d:\d\d/) != nil
    }

    private func combined(
        _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ place: String
    ) -> [String] {
        let schemas = argument.values ?? [argument]
        let matches = schemas.count { problems(value, $0, at: place).isEmpty }
        let isRight =
            switch keyword {
            case "oneOf": matches == 1
            case "anyOf": matches > 0
            default: matches == 0
            }
        return isRight
            ? [] : ["\(place): \(matches) of \(schemas.count) forms match, against \(keyword)"]
    }
}
