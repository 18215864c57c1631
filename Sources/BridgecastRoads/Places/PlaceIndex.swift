internal import BridgecastSupport
internal import BridgecastCore

/// The names of places, folded, in one array of bytes.
struct PlaceIndex: Sendable {
    private struct Entry {
        let place: Int
        /// Indices of `bytes`.
        let bytes: Range<Int>
        /// Indices of `wordStarts`: where its words begin, from the second on.
        let words: Range<Int>
    }

    /// How well a text matches a name, the best first.
    enum Fit: Int { case exact, prefix, word }

    struct Match {
        let place: Int
        var fit: Fit
        /// Whether the text ends where a word of the name does.
        var isWhole: Bool
    }

    /// Shorter texts match only whole names, bytes.
    static let minPartBytes = 3

    /// Of a shorter text too much is wrong with one slip; a longer one is no name.
    private static let similarBytes = 4...60
    /// At most so many slips, and one for so many bytes.
    private static let maxSlips = 2
    private static let bytesForSlip = 4

    /// Those of the network, then the sights of ``CommonNames`` in its area.
    let places: [Place]
    private var entries: [Entry] = []
    private var bytes: [UInt8] = []
    private var wordStarts: [Int] = []

    /// Longer texts match no name, bytes.
    static let maxNameBytes = 500

    /// - Parameter sights: Places that are left out if the network has others of that name.
    init(_ own: [Place], sights: [Place] = []) {
        let taken = Set(own.flatMap { [$0.name] + $0.aliases }.map { Self.folded($0) })
        let isFree = { (name: String) in !taken.contains(Self.folded(name)) }
        places =
            own
            + sights.filter { isFree($0.name) }.map {
                Place(
                    name: $0.name, aliases: $0.aliases.filter(isFree), kind: $0.kind,
                    point: $0.point)
            }
        for (number, place) in places.enumerated() {
            append(place.name, of: number)
            for alias in place.aliases { append(alias, of: number) }
            for name in CommonNames.others(of: place) where isFree(name) {
                append(name, of: number)
            }
        }
    }

    private mutating func append(_ name: String, of place: Int) {
        let start = bytes.count
        let firstWord = wordStarts.count
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            var isInWord = true
            for byte in name.utf8 {
                guard let folded = Self.foldedByte(byte) else {
                    isInWord = byte == UInt8(ascii: "'") && isInWord
                    continue
                }
                if !isInWord, bytes.count > start { wordStarts.append(bytes.count) }
                isInWord = true
                bytes.append(folded)
            }
        } else {
            for word in name.split(whereSeparator: { $0 == " " || $0 == "-" }) {
                if bytes.count > start { wordStarts.append(bytes.count) }
                bytes += foldedName(String(word)).utf8
            }
        }
        entries.append(
            Entry(place: place, bytes: start..<bytes.count, words: firstWord..<wordStarts.count))
    }

    /// Places whose name equals a text.
    func exact(_ text: String) -> [Int] {
        let wanted = Self.wanted(text)
        return wanted.isEmpty
            ? []
            : places { $0.bytes.count == wanted.count && has(wanted, at: $0.bytes.lowerBound, $0) }
    }

    /// Places whose name is similar to a text, the most similar first.
    func similar(_ text: String) -> [Int] {
        let wanted = Self.wanted(text)
        guard !wanted.isEmpty, wanted.count <= 60 else { return [] }
        let maxDistance = max(1, wanted.count / 3)
        var found: [(place: Int, distance: Int)] = []
        for entry in entries where abs(entry.bytes.count - wanted.count) <= maxDistance {
            let distance = editDistance(Array(bytes[entry.bytes]), wanted)
            if distance <= maxDistance { found.append((entry.place, distance)) }
        }
        found.sort { ($0.distance, $0.place) < ($1.distance, $1.place) }
        var places: [Int] = []
        for entry in found where !places.contains(entry.place) { places.append(entry.place) }
        return Array(places.prefix(3))
    }

    /// Places other than stops with a name whose beginning is most similar to a text, the likeliest first.
    func beginningSimilarly(to text: String) -> [Int] {
        let wanted = Self.wanted(text)
        guard Self.similarBytes.contains(wanted.count) else { return [] }
        var maxDistance = min(Self.maxSlips, wanted.count / Self.bytesForSlip)
        var found: [Int] = []
        for entry in entries where places[entry.place].kind != .stop {
            let beginning = Array(bytes[entry.bytes].prefix(wanted.count + maxDistance))
            let distance = editDistance(ofBeginningOf: beginning, to: wanted)
            guard distance <= maxDistance else { continue }
            if distance < maxDistance {
                maxDistance = distance
                found = []
            }
            if found.last != entry.place { found.append(entry.place) }
        }
        return found.sorted { likelihood(of: $0) < likelihood(of: $1) }
    }

    /// Less is likelier.
    private func likelihood(of place: Int) -> (UInt8, Int, String) {
        let place = places[place]
        return (place.kind.rawValue, place.name.utf8.count, place.name)
    }

    /// Places with a name that begins with a text, or has a word where the text begins.
    func matches(_ text: String) -> [Match] {
        let wanted = Self.wanted(text)
        guard !wanted.isEmpty else { return [] }
        var found: [Match] = []
        for entry in entries {
            guard let match = match(wanted, entry) else { continue }
            if var last = found.last, last.place == entry.place {
                last.isWhole = last.isWhole || match.isWhole
                if match.fit.rawValue < last.fit.rawValue { last.fit = match.fit }
                found[found.count - 1] = last
            } else {
                found.append(match)
            }
        }
        return found
    }

    private func match(_ wanted: [UInt8], _ entry: Entry) -> Match? {
        var best: Match?
        for start in [entry.bytes.lowerBound] + wordStarts[entry.words]
        where has(wanted, at: start, entry) {
            let end = start + wanted.count
            let isAtStart = start == entry.bytes.lowerBound
            let isAtEnd = end == entry.bytes.upperBound
            let isWhole = isAtEnd || wordStarts[entry.words].contains(end)
            if best == nil {
                best = Match(
                    place: entry.place, fit: !isAtStart ? .word : isAtEnd ? .exact : .prefix,
                    isWhole: isWhole)
            } else if isWhole {
                best?.isWhole = true
            }
        }
        return best
    }

    private func has(_ wanted: [UInt8], at start: Int, _ entry: Entry) -> Bool {
        guard start + wanted.count <= entry.bytes.upperBound else { return false }
        for index in wanted.indices where bytes[start + index] != wanted[index] { return false }
        return true
    }

    private func places(where fits: (Entry) -> Bool) -> [Int] {
        var found: [Int] = []
        for entry in entries where fits(entry) && found.last != entry.place {
            found.append(entry.place)
        }
        return found
    }

    private static func wanted(_ text: String) -> [UInt8] {
        text.utf8.count <= maxNameBytes ? Array(folded(text).utf8) : []
    }

    /// The result of ``foldedName(_:)``, faster for ASCII.
    static func folded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            guard byte < 0x80 else { return foldedName(String(text)) }
            if let folded = foldedByte(byte) { bytes.append(folded) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A letter in lower case or a digit; nil for anything else.
    private static func foldedByte(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: nil
        }
    }
}
