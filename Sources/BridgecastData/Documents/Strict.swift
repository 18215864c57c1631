// An object of our own forms, read field by field: one that nobody knows is refused.
internal import BridgecastCore

/// One of our own objects, decoded and without a field that nobody reads: it would say nothing, unnoticed.
struct Strict<Object: OwnObject>: Decodable {
    /// The object.
    let object: Object

    /// An object whose fields have been read and known otherwise.
    init(object: Object) { self.object = object }

    init(from decoder: any Decoder) throws {
        object = try Object(from: decoder)
        let known = Object.CodingKeys.allCases.map(\.stringValue)
        guard let name = try FieldNames(from: decoder).names.subtracting(known).min() else {
            return
        }
        throw DocumentProblem(
            at: decoder.codingPath,
            "unknown field '\(printable(name, most: 40))' (known: \(known.joined(separator: ", ")))"
        )
    }
}
