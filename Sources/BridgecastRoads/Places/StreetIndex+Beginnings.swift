// Streets by the beginning of their names, for completion while one types.

extension StreetIndex {
    /// Streets whose name may go on from a text: every word is one of theirs, in their order, and the last begins one.
    ///
    /// - Returns: How well each fits, less is better: 0 if the text begins the name or what is behind the part of the
    ///   city, 1 if it begins a word further on.
    func beginning(with text: String) -> [(street: Int, fit: Int)] {
        guard text.utf8.count <= PlaceIndex.longestName else { return [] }
        let whole = StreetName(text).words
        guard !whole.isEmpty else { return [] }
        let last = text.last == " " ? nil : text.split { $0 == " " || $0 == "-" }.last
        let cut = last.map { PlaceIndex.folded($0) }
        return streets.compactMap { street in
            fit(whole, cut, names[street].words).map { (street, $0) }
        }
    }

    /// Streets whose name, directions and kinds aside, begins with the words of a text and goes on.
    func beginning(withWords text: String) -> [Int] {
        guard text.utf8.count <= PlaceIndex.longestName else { return [] }
        let wanted = StreetName(text)
        guard wanted.core.contains(where: { !$0.isEmpty }) else { return [] }
        return streets.filter {
            names[$0].core.starts(with: wanted.core) && wanted.agrees(with: names[$0])
        }
    }

    /// - Parameter cut: The last word as it was typed, which may go on; nil if it is complete.
    private func fit(
        _ wanted: [StreetName.Word], _ cut: String?, _ words: [StreetName.Word]
    ) -> Int? {
        var place = 0
        var start: Int?
        for (number, word) in wanted.enumerated() {
            let isLast = number == wanted.count - 1
            while place < words.count {
                if words[place].short == word.short { break }
                if isLast, let cut,
                    words[place].short.hasPrefix(cut) || words[place].long.hasPrefix(cut)
                {
                    break
                }
                place += 1
            }
            guard place < words.count else { return nil }
            if start == nil, words[place].isCore { start = place }
            place += 1
        }
        guard let start else { return wanted.allSatisfy(\.isDirection) ? 1 : nil }
        return words[..<start].contains(where: \.isCore) ? 1 : 0
    }
}
