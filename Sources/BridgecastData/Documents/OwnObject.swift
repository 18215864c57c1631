// Objects of our own JSON forms: their fields are known, and a name spelled wrong is a mistake that is told. Used by
// RoutesDocument and LiveDocument.
internal import BridgecastCore

/// An object of one of our own JSON forms; its coding keys are the names that may stand in it.
protocol OwnObject: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// One of our own objects, decoded and without a field that nobody reads: it would say nothing, unnoticed.
struct Strict<Object: OwnObject>: Decodable {
    /// The object.
    let object: Object

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
