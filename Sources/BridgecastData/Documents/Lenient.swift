// Values of documents that others write; used by the readers of route services' replies.

/// A value that is nil where the document has something else in its place; never a reason to refuse the document.
///
/// A field of it is nil where it is missing, too. In a list, each element is decoded on its own.
@propertyWrapper struct Lenient<Value: Decodable>: Decodable {
    /// The value, if it is one.
    var wrappedValue: Value?

    /// A value that did not come from a document.
    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        wrappedValue = try? decoder.singleValueContainer().decode(Value.self)
    }
}

extension KeyedDecodingContainer {
    /// What is synthesised for a property calls this.
    func decode<Value>(_ type: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
        Lenient(wrappedValue: contains(key) ? try? decode(Value.self, forKey: key) : nil)
    }

    /// Nil only where there is no such field: null is a value of another type.
    func decodeIfPresent<Value>(
        _ type: Lenient<Value>.Type, forKey key: Key
    ) throws -> Lenient<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}
