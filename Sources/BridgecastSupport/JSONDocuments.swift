// JSON decoded into types: problems with locations, strict and lenient values, bounded nesting.
package import Foundation

package enum JSONDocument {
    /// - Parameter whole: Takes the place of problems with the outermost value.
    /// - Throws: ``DocumentProblem`` with the location.
    package static func decoded<Content: Decodable>(
        _ type: Content.Type, from data: Data, whole: DocumentProblem? = nil
    ) throws(DocumentProblem) -> Content {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            let problem = DocumentProblem(decoding: error, whole: whole)
            guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty
            else { throw problem }
            let bytes = Array(data)
            if let location = breakingPoint(of: bytes) {
                throw DocumentProblem(location, problem.problem)
            }
            if let location = unrepresentableNumber(in: bytes) {
                throw DocumentProblem(location, JSONReadingError.unrepresentableText)
            }
            throw problem
        }
    }

    /// Where a text stops being JSON, such as `line 3, column 7`; nil if it does not.
    private static func breakingPoint(of bytes: [UInt8]) -> String? {
        var cursor = JSONCursor(of: bytes.span)
        do throws(JSONReadingError) {
            try cursor.skipBlanks(bytes.span)
            try cursor.skipValue(bytes.span, depth: 0)
            if try cursor.isOnlyBlankLeft(bytes.span) { return nil }
            try cursor.skipBlanks(bytes.span)
        } catch {
            // The cursor is where it happened.
        }
        return location(cursor, bytes)
    }

    /// Refuses an object that has a name twice: readers differ in which of the values counts (RFC 8259, 4).
    ///
    /// - Parameter bytes: Valid JSON.
    /// - Throws: ``DocumentProblem`` with the name and its location.
    package static func refuseRepeatedNames(in bytes: [UInt8]) throws(DocumentProblem) {
        var cursor = JSONCursor(of: bytes.span)
        guard (try? cursor.skipBlanks(bytes.span)) != nil,
            let name = try? repeatedName(&cursor, bytes.span, at: [])
        else { return }
        throw DocumentProblem(printable(name, maxLength: 60), "is there more than once")
    }

    /// The location of the first name that an object of a value has twice, such as `keys.auth`; nil if there is none.
    ///
    /// - Parameter path: Where the value is.
    private static func repeatedName(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>, at path: [String]
    ) throws(JSONReadingError) -> String? {
        guard path.count <= JSONCursor.maxNestingDepth else { throw .invalid }
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "["):
            cursor.position += 1
            var count = 0
            while try cursor.hasElement(after: count, bytes) {
                if let found = try repeatedName(&cursor, bytes, at: path + ["\(count)"]) {
                    return found
                }
                count += 1
            }
        case UInt8(ascii: "{"):
            var names: Set<[UInt8]> = []
            while let (slice, _) = try cursor.name(isFirst: names.isEmpty, bytes) {
                let name = try JSONCursor.decoded(slice.range.map { bytes[$0] }[...])
                let location = path + [String(decoding: name, as: UTF8.self)]
                guard names.insert(name).inserted else { return location.joined(separator: ".") }
                if let found = try repeatedName(&cursor, bytes, at: location) { return found }
            }
        default: try cursor.skipValue(bytes, depth: path.count)
        }
        return nil
    }

    /// Where the first number of valid JSON is that no double holds; nil if there is none.
    private static func unrepresentableNumber(in bytes: [UInt8]) -> String? {
        var cursor = JSONCursor(of: bytes.span)
        while cursor.position < bytes.count {
            let start = cursor
            switch bytes[cursor.position] {
            case UInt8(ascii: "\""):
                guard (try? cursor.string(bytes.span)) != nil else { return nil }
            case UInt8(ascii: "-"), 48...57:
                guard (try? cursor.decimal(bytes.span)) != nil else {
                    return location(start, bytes)
                }
            default: cursor.position += 1
            }
        }
        return nil
    }

    private static func location(_ cursor: JSONCursor, _ bytes: [UInt8]) -> String {
        let (line, column) = cursor.location(bytes.span)
        return "line \(line), column \(column)"
    }
}

// MARK: - Objects without unknown fields

/// An object of one of Bridgecast's own JSON formats; its coding keys are all the fields it may have.
package protocol StrictDecodable: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// A decoded object that had no unknown field: a misspelled name would otherwise go unnoticed.
package struct StrictObject<Object: StrictDecodable>: Decodable {
    package let object: Object

    /// Wraps an object whose fields have been checked otherwise.
    package init(object: Object) { self.object = object }

    package init(from decoder: any Decoder) throws {
        object = try Object(from: decoder)
        let known = Object.CodingKeys.allCases.map(\.stringValue)
        guard let name = try FieldNames(from: decoder).names.subtracting(known).min() else {
            return
        }
        throw DocumentProblem(
            at: decoder.codingPath,
            "unknown field '\(printable(name, maxLength: 40))' (known: \(known.joined(separator: ", ")))"
        )
    }
}

/// The names of an object's fields, whatever they hold.
package struct FieldNames: Decodable {
    package let names: Set<String>

    package init(from decoder: any Decoder) throws {
        names = Set(try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue))
    }

    package func hasAny(of wanted: String...) -> Bool { wanted.contains(where: names.contains) }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

// MARK: - Values of others' documents

/// A value that is nil where the document has another type of value; never a reason to refuse the document.
///
/// It is nil where the field is missing, too. The elements of a list are decoded one by one.
@propertyWrapper package struct LenientValue<Value: Decodable>: Decodable {
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        wrappedValue = try? decoder.singleValueContainer().decode(Value.self)
    }
}

extension KeyedDecodingContainer {
    /// Called by the synthesised decoding of a property.
    package func decode<Value>(
        _ type: LenientValue<Value>.Type, forKey key: Key
    ) throws -> LenientValue<Value> {
        LenientValue(wrappedValue: contains(key) ? try? decode(Value.self, forKey: key) : nil)
    }

    /// Nil only where the field is missing: null is a value of another type.
    package func decodeIfPresent<Value>(
        _ type: LenientValue<Value>.Type, forKey key: Key
    ) throws -> LenientValue<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

// MARK: - Nesting

/// The nesting of JSON text, checked before anything parses it: a recursive parser needs stack for each level.
package enum JSONDepth {
    /// Refuses text that nests too deeply; whether it is valid JSON is not checked.
    ///
    /// - Parameter maxDepth: Levels of objects and lists that are allowed, 0 or more.
    /// - Throws: ``DocumentProblem`` with the byte at which it gets too deep.
    package static func check(_ bytes: Span<UInt8>, maxDepth: Int) throws(DocumentProblem) {
        var depth = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= maxDepth else {
                    throw DocumentProblem(
                        "byte \(index)", "objects and lists nest more than \(maxDepth) deep")
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
    }
}
