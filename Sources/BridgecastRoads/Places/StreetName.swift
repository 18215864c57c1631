// The name of a street in parts, so that "15th Ave NW", "15th Avenue Northwest" and "15th" can be compared.
/// A street's name in parts: core, kind of street, and part of the city.
struct StreetName: Sendable {
    /// Parts of the city, before and after the core: "nw".
    var directions: [String] = []
    /// The remaining words: "15", or "green", "lake".
    var core: [String] = []
    /// "ave", "st"; nil if none is given.
    var type: String?
    /// All words in order.
    private(set) var words: [Word] = []

    struct Word: Sendable {
        /// For comparison.
        let short: String
        /// Spelled out.
        let long: String
        var isCore = true
    }

    init(_ text: String) {
        var words = Self.words(of: text)
        // "St" before a name is "Saint".
        for index in words.indices where words[index].short == "st" {
            let following = words[(index + 1)...]
            if words[index].long == "saint" || following.contains(where: { !$0.isDirection }) {
                words[index] = Word(short: "saint", long: "saint")
            }
        }
        var start = 0
        var end = words.count
        if let first = words.first, first.isDirection, words.count > 1 {
            start = 1
        }
        if end - start > 1, words[end - 1].isDirection { end -= 1 }
        if end - start > 1, StreetWords.types[words[end - 1].short] != nil {
            end -= 1
            type = words[end].short
        } else if start == 1, end == 2, StreetWords.types[words[1].short] != nil {
            // The core of "South Street" is "south".
            start = 0
            end = 1
            type = words[1].short
        }
        for index in words.indices {
            let isCore = (start..<end).contains(index)
            words[index].isCore = isCore
            if isCore {
                core.append(words[index].short)
            } else if words[index].isDirection {
                directions.append(words[index].short)
            }
        }
        self.words = words
    }

    /// The core without spaces: the same for streets of one name of any kind in any part of the city.
    var key: String { core.joined() }

    /// Whether it is the same street in another part of the city.
    func continues(_ other: StreetName) -> Bool { core == other.core && type == other.type }

    /// Whether this name may mean a street: its kind and parts of the city do not contradict the street's.
    func agrees(with street: StreetName) -> Bool {
        guard type == nil || type == street.type else { return false }
        var left = street.directions
        for direction in directions {
            guard let index = left.firstIndex(of: direction) else { return false }
            left.remove(at: index)
        }
        return true
    }

    /// Whether a street's core contains this core's words, the last of them perhaps incomplete.
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

    /// The two streets of a corner: the texts on both sides of "&", "/", "@", "and" or "at".
    static func parts(of text: String) -> (String, String)? {
        // A city may follow a comma.
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
            // Thirty-fifth: tens, then ones.
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

// MARK: - Words

enum StreetWords {
    /// Parts of the city by their short forms.
    static let directions = [
        "n": "north", "s": "south", "e": "east", "w": "west", "ne": "northeast",
        "nw": "northwest", "se": "southeast", "sw": "southwest",
    ]
    /// Kinds of streets by their short forms.
    static let types = [
        "ave": "avenue", "st": "street", "blvd": "boulevard", "dr": "drive", "pl": "place",
        "way": "way", "rd": "road", "ct": "court", "ln": "lane", "ter": "terrace",
        "pkwy": "parkway", "cir": "circle", "hwy": "highway", "sq": "square", "trl": "trail",
        "plz": "plaza", "aly": "alley",
    ]
    /// The kinds that are preferred if a name does not give one.
    static let commonTypes: Set<String> = ["ave", "st", "way", "blvd"]
    static let ordinals = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
        "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
        "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
        "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
        "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
    ]
    static let tens = [
        "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
        "eighty": 80, "ninety": 90,
    ]
    private static let others = [
        "mt": ("mount", "mount"), "av": ("ave", "avenue"), "wy": ("way", "way"),
        "bl": ("blvd", "boulevard"), "terr": ("ter", "terrace"), "ft": ("fort", "fort"),
        "saint": ("st", "saint"),
    ]

    /// Short and long forms by any form.
    private static let known: [String: StreetName.Word] = {
        var known: [String: StreetName.Word] = [:]
        for (short, long) in Array(directions) + Array(types) {
            known[short] = StreetName.Word(short: short, long: long)
            known[long] = known[short]
        }
        for (word, (short, long)) in others {
            known[word] = StreetName.Word(short: short, long: long)
        }
        for (word, number) in ordinals {
            known[word] = StreetName.Word(short: "\(number)", long: word)
        }
        return known
    }()

    /// A folded word in short and long form; several words for an abbreviation of several, none for "Jr".
    static func words(_ folded: String) -> [StreetName.Word] {
        if let word = known[folded] { return [word] }
        switch folded {
        case "jr", "junior": return []
        case "mlk":
            return ["martin", "luther", "king"].map { StreetName.Word(short: $0, long: $0) }
        default: break
        }
        if let digit = folded.utf8.first, (48...57).contains(digit) {
            let digits = folded.prefix { $0.isASCII && $0.isNumber }
            if ["st", "nd", "rd", "th"].contains(folded.dropFirst(digits.count)) {
                return [StreetName.Word(short: String(digits), long: folded)]
            }
        }
        return [StreetName.Word(short: folded, long: folded)]
    }
}
