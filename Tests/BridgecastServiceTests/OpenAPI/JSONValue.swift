// JSON of any shape, for tests that look at documents as strangers do.
import Foundation

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
