// What people add to the name of a place: the city, the state, an article, a house number.
internal import BridgecastSupport

/// Words around the name of a place that do not belong to it.
enum PlaceText {
    private static let states: Set<String> = ["wa", "wash", "washington"]
    private static let countries: Set<String> = ["usa", "us"]
    private static let joints: Set<String> = ["&", "/", "@", "and", "at"]

    /// A text without its last word, if that is a city, a state, a postal code or a country, or without an article before it;
    /// nil if it has neither, or nothing else.
    static func shortened(_ text: some StringProtocol) -> String? {
        let separators: Set<Character> = [" ", ","]
        let words = text.split(whereSeparator: separators.contains)
        guard words.count > 1, let first = words.first, let last = words.last else { return nil }
        let word = last.lowercased().filter { $0 != "." }
        let before = text[..<last.startIndex]
        // "4th & Seattle" names a street.
        if let joint = before.split(separator: " ").last, joints.contains(joint.lowercased()) {
            return nil
        }
        let isAfterComma = before.reversed().first { $0 != " " } == ","
        let isLocality =
            word == "seattle" || word == "wa" || isPostalCode(word)
            || isAfterComma && (states.contains(word) || countries.contains(word))
        if isLocality { return trimmed(before, separators) }
        return first.lowercased() == "the" ? trimmed(text[first.endIndex...], separators) : nil
    }

    /// Postal codes of Seattle begin with 981.
    private static func isPostalCode(_ word: String) -> Bool {
        word.hasPrefix("981") && word.utf8.count == 5 && word.allSatisfy(\.isNumber)
    }

    private static func trimmed(
        _ text: some StringProtocol, _ ends: Set<Character>
    ) -> String {
        var rest = text.drop(while: ends.contains)
        while let last = rest.last, ends.contains(last) { rest = rest.dropLast() }
        return String(rest)
    }
}

// MARK: - Addresses

/// A house number and a street: `2250 NW Market St`.
struct StreetAddress {
    /// 1 to 99,999.
    let number: Int
    let street: String

    /// Nil for a text of another form, such as the number of a street: `15 Ave`.
    init?(_ text: String) {
        guard text.utf8.count <= PlaceIndex.maxNameBytes, let space = text.firstIndex(of: " "),
            text[..<space].utf8.allSatisfy({ (48...57).contains($0) }), space != text.startIndex,
            let number = Int(text[..<space]), (1...99_999).contains(number)
        else { return nil }
        // A unit or a city may follow.
        let street = text[space...].prefix { $0 != "," && $0 != "#" }
        let name = StreetName(String(street))
        guard name.core.contains(where: { StreetWords.types[$0] == nil }) else { return nil }
        self.number = number
        self.street = street.split(separator: " ").joined(separator: " ")
    }

    /// The number of the block: 22 for 2250.
    var block: Int { number / 100 }
}

extension RoadNetwork {
    /// Blocks between two numbered streets, at most.
    private static let maxSkippedBlocks = 2

    /// The corner where the block of an address begins, and a note that says so.
    ///
    /// The map has no house numbers. Seattle numbers its blocks by the streets that they begin at: the 2200 block of NW
    /// Market St begins at 22nd Ave NW, the 6500 block of 15th Ave NW at NW 65th St. That holds for streets and avenues
    /// that cross numbered ones; elsewhere, as on the avenues of downtown, nothing is assumed.
    /// - Throws: ``PlaceError``, also if the street is not known or crosses no such street.
    func corner(
        of address: StreetAddress, _ shown: String
    ) throws(PlaceError) -> (corner: StreetCorner, note: String) {
        let found = streetIndex.streets(address.street)
        let streets = found.exact.isEmpty ? found.partial : found.exact
        guard !streets.isEmpty else {
            let similar = streetIndex.similar(address.street).map { map.names[$0] }
            throw .unknownStreet(
                shown, street: printable(address.street, maxLength: 40),
                suggestions: Array(similar.prefix(3)))
        }
        for skipped in 0...Self.maxSkippedBlocks where address.block > skipped {
            let block = address.block - skipped
            let corners = corners(ofBlock: block, of: streets, named: address.street)
            guard !corners.isEmpty else { continue }
            let corner = try onlyCorner(corners, shown)
            let note =
                "the map has no house numbers: '\(shown)' is taken as \(name(of: corner)), where the \(block)00 "
                + (skipped == 0
                    ? "block begins" : "block begins, the last numbered street before it")
            return (corner, note)
        }
        throw .houseNumber(shown, corners: cornersOfStreet(address.street))
    }

    /// Corners of streets with the street that has the number of a block: avenues cross streets, and streets avenues.
    private func corners(
        ofBlock block: Int, of streets: [Int], named text: String
    ) -> [StreetCorner] {
        let names = streetIndex.names
        let crossing = ["ave": "st", "st": "ave"]
        let numbered = streetIndex.numbered(block)
        let found = streets.flatMap { street -> [StreetCorner] in
            guard let type = names[street].type.flatMap({ crossing[$0] }) else { return [] }
            return corners(of: [street], with: numbered.filter { names[$0].type == type })
        }
        // Without a part of the city the street without one is meant, if there is such a corner.
        let wanted = StreetName(text)
        let exact = found.filter { names[$0.streets.0].directions == wanted.directions }
        return exact.isEmpty ? found : exact
    }
}
