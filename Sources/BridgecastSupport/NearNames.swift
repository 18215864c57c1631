// The names most like a text, for messages about unknown names; and how alike two texts are.

/// The number of insertions, deletions and replacements that make one text of another (Levenshtein, 1965); O(n m).
package func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    distances(ofBeginningsOf: first, to: second)[first.count]
}

/// The distance of the beginning of a name that is nearest to a text which may not be complete; O(n m).
package func editDistance(ofBeginningOf name: [UInt8], to text: [UInt8]) -> Int {
    distances(ofBeginningsOf: name, to: text).min() ?? text.count
}

/// From the empty beginning to the whole text.
private func distances(ofBeginningsOf first: [UInt8], to second: [UInt8]) -> [Int] {
    var row = Array(0...second.count)
    var distances = [second.count]
    distances.reserveCapacity(first.count + 1)
    for (index, byte) in first.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in second.indices {
            let replaced = diagonal + (byte == second[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
        }
        distances.append(row[second.count])
    }
    return distances
}

package enum NearNames {
    /// Longer texts are compared by their beginnings.
    private static let maxCharacters = 64

    /// The most similar names, by ``editDistance(_:_:)``; O(names x letters squared).
    package static func nearest(_ text: String, of names: [String], max count: Int) -> [String] {
        ranked(text, names).prefix(count).map(\.name)
    }

    /// All names with their distances, the most similar first.
    private static func ranked(
        _ text: String, _ names: [String]
    ) -> [(name: String, distance: Int)] {
        let wanted = Array(text.lowercased().utf8.prefix(maxCharacters))
        let distances = names.map { name in
            (name, editDistance(wanted, Array(name.lowercased().utf8.prefix(maxCharacters))))
        }
        return distances.sorted { $0.1 < $1.1 }
    }

    /// The names of which a text may be a slip or the beginning, the most similar first.
    ///
    /// Of a slip at least half of the letters are right, and no other name is more similar.
    package static func similar(_ text: String, to names: [String], max count: Int) -> [String] {
        guard !text.isEmpty else { return [] }
        let wanted = text.lowercased()
        var fewestSlips = Int.max
        return ranked(text, names).filter { name, distance in
            let name = name.lowercased()
            guard !name.hasPrefix(wanted) else {
                fewestSlips = 0
                return true
            }
            guard text.utf8.count <= maxCharacters else { return false }
            fewestSlips = min(fewestSlips, distance)
            return distance == fewestSlips
                && 2 * distance <= Swift.max(wanted.utf8.count, name.utf8.count)
        }.prefix(count).map(\.name)
    }
}
