// Identifiers with the agency's in front, as OneBusAway has them, and without, as timetables do.

/// The prefix of identifiers such as `1_75403`, in which `1` is the agency.
package enum AgencyPrefix {
    /// The agency and the identifier without it; nil where no agency is named.
    ///
    /// They part at the first underscore or, as others write it, colon: agencies have none in theirs.
    ///
    /// - Complexity: O(length).
    package static func parts(of id: String) -> (agency: Substring, bare: Substring)? {
        let letters = id.utf8
        let mark = letters.firstIndex { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":") }
        guard let mark, mark > letters.startIndex else { return nil }
        let rest = letters.index(after: mark)
        return rest < letters.endIndex ? (id[..<mark], id[rest...]) : nil
    }

    /// The identifier without it; the whole where it has none.
    package static func bare(_ id: String) -> String { parts(of: id).map { String($0.bare) } ?? id }
}
