// Which fields an object has, whatever they hold; used where formats are told apart and names are checked.

/// The names of an object's fields.
struct FieldNames: Decodable {
    /// The names.
    let names: Set<String>

    init(from decoder: any Decoder) throws {
        names = Set(try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue))
    }

    /// Whether an object has one of some fields.
    func hasAny(of wanted: String...) -> Bool { wanted.contains(where: names.contains) }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
