// JSON as a tree whose names are folded: trip_update, tripUpdate and TripUpdate are one; for readers of feeds in JSON.
// Belongs here: realtime feeds in JSON, as text and packed, and what bytes are that are no feed; not: Protocol Buffers
// (Wire).

/// A value of JSON.
enum JSONTree {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case list([JSONTree])
    case object([Member])

    /// A member of an object.
    struct Member {
        /// In small letters without underscores.
        let name: String
        let value: JSONTree
    }

    /// The members of an object; none of anything else.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The member of a folded name; nil if there is none, or it is null.
    ///
    /// The last one of several, as most readers have it.
    subscript(_ name: String) -> JSONTree? {
        guard let found = members.last(where: { $0.name == name })?.value else { return nil }
        if case .null = found { return nil }
        return found
    }

    /// Small letters without underscores, of a name of any spelling.
    static func folded(_ name: String) -> String {
        let needsFolding = name.utf8.contains {
            $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        }
        guard needsFolding else { return name }
        return String(
            decoding: name.utf8.lazy.filter { $0 != UInt8(ascii: "_") }.map {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0
            }, as: UTF8.self)
    }
}
