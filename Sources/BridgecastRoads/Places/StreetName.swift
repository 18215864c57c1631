// The name of a street taken apart, so that "15th Ave NW", "15th Avenue Northwest" and "15th" can be compared.

/// A street's name: what it is called, what kind of street it is, and in which part of the city.
struct StreetName: Sendable {
    /// Parts of the city, before and behind the name: "nw".
    var directions: [String] = []
    /// The words that are left: "15", or "green", "lake".
    var core: [String] = []
    /// "ave", "st"; nil if none is said.
    var type: String?
    /// All words in order: as they are compared, and spelled out.
    private(set) var words: [Word] = []

    struct Word: Sendable {
        let short: String
        let long: String
        /// Belongs to the core.
        var isCore = true
    }

    init(_ text: String) {
        var words = Self.words(of: text)
        // A "St" with a name behind it is a saint.
        for place in words.indices where words[place].short == "st" {
            let behind = words[(place + 1)...]
            if words[place].long == "saint" || behind.contains(where: { !$0.isDirection }) {
                words[place] = Word(short: "saint", long: "saint")
            }
        }
        var (start, end) = (0, words.count)
        if let first = words.first, first.isDirection, words.count > 1 {
            start = 1
        }
        if end - start > 1, words[end - 1].isDirection { end -= 1 }
        if end - start > 1, StreetWords.types[words[end - 1].short] != nil {
            end -= 1
            type = words[end].short
        } else if start == 1, end == 2, StreetWords.types[words[1].short] != nil {
            // "South Street" is called South.
            (start, end) = (0, 1)
            type = words[1].short
        }
        for place in words.indices {
            let isCore = (start..<end).contains(place)
            words[place].isCore = isCore
            if isCore {
                core.append(words[place].short)
            } else if words[place].isDirection {
                directions.append(words[place].short)
            }
        }
        self.words = words
    }

    /// What streets of one name share whatever their kind and part of the city; spaces do not count.
    var key: String { core.joined() }

    /// Whether it is the same street in another part of the city.
    func continues(_ other: StreetName) -> Bool { core == other.core && type == other.type }

    /// Whether a street may be meant by this name: nothing that is said of it is otherwise.
    func agrees(with street: StreetName) -> Bool {
        guard type == nil || type == street.type else { return false }
        var left = street.directions
        for direction in directions {
            guard let place = left.firstIndex(of: direction) else { return false }
            left.remove(at: place)
        }
        return true
    }

    /// Whether the core begins with this one's words or holds them, the last of them perhaps cut short.
    func isPart(of street: StreetName) -> Bool {
        guard let last = core.last, last.utf8.count >= 3, core.count <= street.core.count else {
            return false
        }
        return (0...street.core.count - core.count).contains { start in
            let end = start + core.count - 1
            return street.core[start..<end].elementsEqual(core.dropLast())
                && street.core[end].hasPrefix(last)
        }
    }

    /// The two streets of a corner: what stands on both sides of "&", "/", "@", "and" or "at".
    static func parts(of text: String) -> (String, String)? {
        // What follows a comma is a city.
        let text = text.prefix { $0 != "," }
        let words = text.split(separator: " ")
        if let middle = words.firstIndex(where: {
            ["and", "at", "&", "/", "@"].contains($0.lowercased())
        }), middle > 0 {
            let second = words[(middle + 1)...].joined(separator: " ")
            return (words[..<middle].joined(separator: " "), second)
        }
        guard let sign = text.firstIndex(where: { "&/@".contains($0) }) else { return nil }
        let first = text[..<sign].trimmed
        return first.isEmpty ? nil : (first, text[text.index(after: sign)...].trimmed)
    }

    private static let separators = Array(" -/_\t\n".utf8)

    private static func words(of text: String) -> [Word] {
        var words: [Word] = []
        for part in Array(text.utf8).split(whereSeparator: { separators.contains($0) }) {
            let folded = PlaceIndex.folded(String(decoding: part, as: UTF8.self))
            guard !folded.isEmpty, words.count < 24 else { continue }
            // Thirty-fifth: tens with ones behind.
            if let last = words.last, let tens = StreetWords.tens[last.long],
                let ones = StreetWords.ordinals[folded], ones < 10
            {
                words[words.count - 1] = Word(short: "\(tens + ones)", long: "\(tens + ones)")
                continue
            }
            words += StreetWords.words(folded)
        }
        return words
    }
}

extension StreetName.Word {
    var isDirection: Bool { StreetWords.directions[short] != nil }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
