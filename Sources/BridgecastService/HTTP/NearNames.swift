// The names that a mistyped one is nearest to; used where something is not found.

package enum NearNames {
    /// Longer texts are compared by their beginnings.
    private static let mostCharacters = 64

    /// The nearest of some names, by the fewest letters that must be changed, put in or left out.
    ///
    /// - Complexity: O(names x letters squared).
    package static func nearest(_ text: String, of names: [String], most: Int) -> [String] {
        let wanted = Array(text.lowercased().utf8.prefix(mostCharacters))
        let distances = names.map { name in
            (name, distance(wanted, Array(name.lowercased().utf8.prefix(mostCharacters))))
        }
        return distances.sorted { $0.1 < $1.1 }.prefix(most).map(\.0)
    }

    /// Levenshtein's distance.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (place, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for column in second.indices {
                let changed = diagonal + (letter == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
