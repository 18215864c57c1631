// A small validator of JSON Schema (2020-12), for the keywords of the service's description, and a reader of the description.
import BridgecastCore
import Foundation
import HTTPTypes
import NIOCore
@testable import BridgecastService

/// Compares values with schemas of a document.
struct SchemaValidator {
    /// The document that `$ref` refers to.
    let document: JSONValue

    /// Keywords that say nothing about what is valid.
    private static let words: Set<String> = ["description", "default", "example", "examples"]

    /// What is wrong with a value, each thing with its location; empty if it is valid.
    ///
    /// A keyword that is not known is wrong too, so that none is passed over.
    func problems(_ value: JSONValue, _ schema: JSONValue, at location: String = "") -> [String] {
        guard let keywords = schema.fields else {
            return schema == .bool(true) ? [] : ["\(location): nothing may be here"]
        }
        return keywords.sorted { $0.key < $1.key }.flatMap { name, argument in
            problems(value, keyword: name, argument: argument, in: keywords, at: location)
        }
    }

    private func problems(
        _ value: JSONValue, keyword: String, argument: JSONValue, in schema: [String: JSONValue],
        at location: String
    ) -> [String] {
        switch keyword {
        case "$ref":
            guard let aim = resolve(argument) else {
                return ["\(location): \(argument) leads nowhere"]
            }
            return problems(value, aim, at: location)
        case "type":
            let types = argument.text.map { [$0] } ?? argument.texts
            let isRight =
                types.contains(value.type) || value.type == "integer" && types.contains("number")
            return isRight ? [] : ["\(location): \(value.type) in location of \(types)"]
        case "enum":
            return argument.values?.contains(value) == true
                ? [] : ["\(location): \(value) is none of those there are"]
        case "const": return value == argument ? [] : ["\(location): \(value) is not \(argument)"]
        case "required", "properties", "additionalProperties", "propertyNames":
            return value.fields.map {
                problems(
                    ofObject: $0, keyword: keyword, argument: argument, in: schema, at: location)
            } ?? []
        case "items", "prefixItems", "minItems", "maxItems":
            return value.values.map {
                problems(ofList: $0, keyword: keyword, argument: argument, at: location)
            } ?? []
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            return value.number.map {
                problems(ofNumber: $0, keyword: keyword, argument: argument, at: location)
            } ?? []
        case "minLength", "maxLength", "format":
            return value.text.map {
                problems(ofText: $0, keyword: keyword, argument: argument, at: location)
            } ?? []
        case "oneOf", "anyOf", "not":
            return problems(ofForms: value, keyword: keyword, argument: argument, at: location)
        default:
            return Self.words.contains(keyword) ? [] : ["\(location): unknown keyword \(keyword)"]
        }
    }

    /// The part of the document that a reference names.
    func resolve(_ reference: JSONValue) -> JSONValue? {
        guard let path = reference.text, path.hasPrefix("#/") else { return nil }
        return path.dropFirst(2).split(separator: "/").reduce(Optional(document)) {
            $0?[String($1)]
        }
    }

    private func problems(
        ofObject fields: [String: JSONValue], keyword: String, argument: JSONValue,
        in schema: [String: JSONValue], at location: String
    ) -> [String] {
        switch keyword {
        case "required":
            return argument.texts.filter { fields[$0] == nil }.map {
                "\(location): \($0) is missing"
            }
        case "properties":
            return (argument.fields ?? [:]).flatMap { name, schema in
                fields[name].map { problems($0, schema, at: "\(location).\(name)") } ?? []
            }
        case "propertyNames":
            return fields.keys.flatMap { problems(.text($0), argument, at: "\(location), a name") }
        default:
            let known = schema["properties"]?.fields ?? [:]
            return fields.filter { known[$0.key] == nil }.flatMap { name, value in
                problems(value, argument, at: "\(location).\(name)")
            }
        }
    }

    private func problems(
        ofList values: [JSONValue], keyword: String, argument: JSONValue, at location: String
    ) -> [String] {
        switch keyword {
        case "minItems" where Double(values.count) < argument.number ?? 0,
            "maxItems" where Double(values.count) > argument.number ?? 0:
            return ["\(location): \(values.count) values, against \(keyword)"]
        case "items":
            return values.enumerated().flatMap { problems($1, argument, at: "\(location)[\($0)]") }
        case "prefixItems":
            return zip(values, argument.values ?? []).flatMap { problems($0, $1, at: location) }
        default: return []
        }
    }

    private func problems(
        ofNumber number: Double, keyword: String, argument: JSONValue, at location: String
    ) -> [String] {
        let limit = argument.number ?? .nan
        let isRight =
            switch keyword {
            case "minimum": number >= limit
            case "maximum": number <= limit
            case "exclusiveMinimum": number > limit
            default: number < limit
            }
        return isRight ? [] : ["\(location): \(number) against \(keyword) \(limit)"]
    }

    private func problems(
        ofText text: String, keyword: String, argument: JSONValue, at location: String
    ) -> [String] {
        let isRight =
            switch (keyword, argument.text) {
            case ("minLength", _): Double(text.unicodeScalars.count) >= argument.number ?? .nan
            case ("maxLength", _): Double(text.unicodeScalars.count) <= argument.number ?? .nan
            case (_, "binary"): true
            case (_, "date"): TimeText.parseDate(text) != nil
            case (_, "date-time"): hasOffset(text) && (try? TimeText.parse(text)) != nil
            default: false
            }
        return isRight ? [] : ["\(location): '\(text)' against \(keyword) \(argument)"]
    }

    /// Seattle times without an offset are read too, but no answer may have one.
    private func hasOffset(_ text: String) -> Bool {
        text.hasSuffix("Z") || text.wholeMatch(of: /.*[+-]\d\d:\d\d/) != nil
    }

    private func problems(
        ofForms value: JSONValue, keyword: String, argument: JSONValue, at location: String
    ) -> [String] {
        let schemas = argument.values ?? [argument]
        let matches = schemas.count { problems(value, $0, at: location).isEmpty }
        let isRight =
            switch keyword {
            case "oneOf": matches == 1
            case "anyOf": matches > 0
            default: matches == 0
            }
        return isRight
            ? [] : ["\(location): \(matches) of \(schemas.count) forms match, against \(keyword)"]
    }
}

/// The OpenAPI file that the service serves.
struct ServiceDescription: Sendable {
    let document: JSONValue
    let validator: SchemaValidator

    init() throws {
        document = try JSONValue.read(Data(contentsOf: ServiceFixture.openAPI))
        validator = SchemaValidator(document: document)
    }

    /// What there is at a path for a method.
    struct Operation {
        let name: String
        let content: JSONValue
        let parameters: [JSONValue]

        /// The names of parameters that are in a part of a request: `path`, `query` or `header`.
        func parameters(in part: String) -> Set<String> {
            Set(parameters.filter { $0["in"]?.text == part }.compactMap { $0["name"]?.text })
        }

        /// The media types of a body; empty where none is taken.
        var bodyTypes: Set<String> {
            Set(content["requestBody"]?["content"]?.fields?.keys.map(\.self) ?? [])
        }
    }

    /// All operations by method and path, such as `GET /api/v1/bridges`.
    var operations: [String: Operation] {
        var found: [String: Operation] = [:]
        for (path, methods) in document["paths"]?.fields ?? [:] {
            for (method, content) in methods.fields ?? [:] {
                let name = "\(method.uppercased()) \(path)"
                found[name] = Operation(
                    name: name, content: content,
                    parameters: (content["parameters"]?.values ?? []).map(resolved))
            }
        }
        return found
    }

    /// A value, or what it refers to.
    func resolved(_ value: JSONValue) -> JSONValue {
        value["$ref"].flatMap { validator.resolve($0) } ?? value
    }

    /// A schema by its name.
    func schema(_ name: String) -> JSONValue? { document["components"]?["schemas"]?[name] }

    /// What is wrong with an answer to an operation: its status, its form, its content.
    func problems(
        _ operation: Operation, status: Int, mediaType: String?, body: ByteBuffer
    ) throws -> [String] {
        guard let answer = operation.content["responses"]?[String(status)].map(resolved) else {
            return ["\(operation.name) says nothing of \(status)"]
        }
        guard let forms = answer["content"]?.fields else {
            return body.readableBytes == 0 ? [] : ["\(operation.name), \(status): a body"]
        }
        guard let mediaType, let form = forms[mediaType] else {
            return [
                "\(operation.name), \(status): \(mediaType ?? "no form") is none of \(forms.keys)"
            ]
        }
        let value: JSONValue =
            // Lines of JSON are no JSON.
            mediaType.hasSuffix("json") && mediaType != "application/x-ndjson"
            ? try .read(body.readableBytesView) : .text(String(buffer: body))
        return validator.problems(value, form["schema"] ?? .bool(true))
            .map { "\(operation.name), \(status)\($0)" }
    }
}

/// A value of JSON.
enum JSONValue: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Reads bytes.
    static func read(_ bytes: some Collection<UInt8>) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// A field of an object; nil where it is none.
    subscript(name: String) -> JSONValue? { fields?[name] }

    /// The fields of an object.
    var fields: [String: JSONValue]? { if case .object(let fields) = self { fields } else { nil } }
    /// The values of a list.
    var values: [JSONValue]? { if case .list(let values) = self { values } else { nil } }
    /// A text.
    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// A number.
    var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// The texts of a list.
    var texts: [String] { values?.compactMap(\.text) ?? [] }

    /// The type as JSON Schema names it.
    var type: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number(let number): number == number.rounded() ? "integer" : "number"
        case .text: "string"
        case .list: "array"
        case .object: "object"
        }
    }
}

extension JSONValue {
    /// The value as JSON.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): type == "integer" ? "\(Int(number))" : "\(number)"
        case .text(let text): Self.quoted(text)
        case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
        case .object(let fields):
            "{\(fields.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
