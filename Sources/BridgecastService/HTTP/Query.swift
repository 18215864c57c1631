// Query parameters, read strictly: a wrong one is reported with what it takes. (Hummingbird's URI passes on malformed
// percent-encoding unchanged and allows a name to be repeated.)
package import BridgecastCore
internal import BridgecastSupport
private import Foundation

package struct Query: Sendable {
    private var values: [(name: String, value: String)] = []

    /// A parameter that clients vary to bypass caches: where it is known it may have any value, and has no meaning.
    package static let cacheBuster = "t"
    private static let maxReadParts = 40

    package init() {}

    /// A query of values that are not to be decoded.
    init(_ values: [String: String]) {
        self.values = values.map { (name: $0.key, value: $0.value) }
    }

    /// Reads a query, percent-encoded (RFC 3986), `+` for a space.
    ///
    /// - Parameter known: The valid names; others are refused.
    /// - Throws: ``Problem`` 400.
    package init(_ text: Substring?, known: [String]) throws(Problem) {
        for part in (text ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            try add(part, known)
        }
    }

    /// What is right in a query, and the first thing that is wrong.
    ///
    /// Parts after the first ``maxReadParts`` are not looked at once something is wrong.
    static func reading(_ text: Substring?, known: [String]) -> (query: Query, problem: Problem?) {
        var query = Query()
        var first: Problem?
        let parts = (text ?? "").utf8.split(separator: UInt8(ascii: "&"))
        for (index, part) in parts.enumerated() where first == nil || index < maxReadParts {
            do throws(Problem) {
                try query.add(part, known)
            } catch {
                first = first ?? error
            }
        }
        return (query, first)
    }

    private mutating func add(_ part: Substring.UTF8View, _ known: [String]) throws(Problem) {
        let equals = part.firstIndex(of: UInt8(ascii: "="))
        guard let name = Self.decoded(part[..<(equals ?? part.endIndex)]),
            let value = equals.map({ Self.decoded(part[part.index(after: $0)...]) }) ?? ""
        else {
            throw Problem(
                .badRequest, "the parameters are not percent-encoded UTF-8",
                recovery: "encode parameters as RFC 3986 requires")
        }
        guard known.contains(name) else {
            throw Problem(
                .unknownParameter,
                "there is no parameter '\(printable(name, maxLength: 40))' here",
                recovery: known.isEmpty
                    ? "leave it out: this resource takes no parameters"
                    : "this resource takes \(known.joined(separator: ", "))",
                parameter: printable(name, maxLength: 40), near: known)
        }
        guard name != Self.cacheBuster else { return }
        guard !values.contains(where: { $0.name == name }) else {
            throw .parameter(name, "is given more than once", takes: "one value")
        }
        guard !value.isEmpty else {
            throw .parameter(name, "is empty", takes: "a value; leave it out for the default")
        }
        values.append((name, value))
    }

    /// Refuses values with the character NUL: a store would end them there.
    ///
    /// - Throws: ``Problem`` 400 that names the parameter.
    func refuseNUL() throws(Problem) {
        guard let found = values.first(where: { $0.value.utf8.contains(0) }) else { return }
        throw .parameter(found.name, "has the character NUL", takes: "a text without it")
    }

    /// A text that is equal for queries that mean the same: without regard to order and ``cacheBuster``.
    ///
    /// - Parameter names: Parameters that mean nothing to the answer.
    func key(without names: [String] = []) -> String {
        values.filter { !names.contains($0.name) }.sorted { $0.name < $1.name }
            .map { "\($0.name)=\($0.value.utf8.count):\($0.value)" }.joined(separator: "&")
    }

    /// The text that bytes of a query stand for; nil if the encoding is malformed or not UTF-8.
    private static func decoded(_ text: Substring.UTF8View) -> String? {
        let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: spaced, as: UTF8.self).removingPercentEncoding
    }

    package func text(_ name: String) -> String? { values.first { $0.name == name }?.value }

    /// A text without white space around it; nil if it is missing.
    ///
    /// - Throws: ``Problem`` 400 if nothing else is in it, as for an empty one.
    package func words(_ name: String) throws(Problem) -> String? {
        guard let text = text(name) else { return nil }
        let words = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !words.isEmpty else {
            throw .parameter(name, "is blank", takes: "a value; leave it out for the default")
        }
        return words
    }

    package func required(_ name: String, takes: String) throws(Problem) -> String {
        guard let text = text(name) else {
            throw Problem(
                .missingParameter, "\(name) is missing", recovery: "\(name) takes \(takes)",
                parameter: name)
        }
        return text
    }

    /// A whole number in a range; `fallback` if it is missing.
    package func integer(
        _ name: String, in range: ClosedRange<Int>, default fallback: Int
    ) throws(Problem) -> Int {
        guard let text = text(name) else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw .parameter(
                name, "'\(printable(text, maxLength: 40))' cannot be used",
                takes: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Entries of a page of a list by default.
    static let defaultLimit = 100
    /// Entries of a page at most.
    static let maxLimit = 1000

    /// The page of a list: entries before it, and at most on it.
    func page(defaultLimit: Int = defaultLimit) throws(Problem) -> (offset: Int, limit: Int) {
        let limit = try integer("limit", in: 1...Self.maxLimit, default: defaultLimit)
        return (try integer("offset", in: 0...100_000_000, default: 0), limit)
    }

    /// A number in a range; nil if it is missing.
    package func number(
        _ name: String, in range: ClosedRange<Double>, unit: String
    ) throws(Problem) -> Double? {
        guard let text = text(name) else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw .parameter(
                name, "'\(printable(text, maxLength: 40))' cannot be used",
                takes: "\(unit) from \(plainNumber(range.lowerBound)) to "
                    + plainNumber(range.upperBound))
        }
        return value
    }

    /// A time: RFC 3339, or Seattle time without an offset; nil if it is missing.
    package func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = text(name) else { return nil }
        do {
            return try TimeText.parse(text)
        } catch {
            throw .parameter(
                name, printable("\(error)", maxLength: 200),
                takes: "RFC 3339, or Seattle time such as 2026-02-20T17:50")
        }
    }

    /// A value of a list; `fallback` if it is missing.
    package func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, default fallback: Choice
    ) throws(Problem) -> Choice {
        guard let text = text(name) else { return fallback }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue)
            throw .parameter(
                name, "'\(printable(text, maxLength: 40))' cannot be used",
                takes: all.joined(separator: ", "), near: all)
        }
        return choice
    }

    package func mode() throws(Problem) -> Route.Mode { try choice("mode", default: .car) }

    package func bridge(_ name: String = "bridge") throws(Problem) -> BridgeIndex? {
        guard let text = text(name) else { return nil }
        return try Self.bridge(text, parameter: name)
    }

    /// The bridge of a name or the city's number.
    ///
    /// - Throws: ``Problem`` 400 with the names there are.
    package static func bridge(
        _ text: String, parameter name: String
    ) throws(Problem) -> BridgeIndex {
        if isPlain(text), let bridge = BridgeCatalogue.index(named: text) { return bridge }
        throw .parameter(
            name, "there is no bridge '\(printable(text, maxLength: 40))'",
            takes: "a bridge's name or the city's number", near: nearBridges(text))
    }

    /// Whether a text can be a bridge's name.
    ///
    /// Names are compared by their letters and digits alone, so that other characters would be overlooked.
    static func isPlain(_ text: String) -> Bool {
        !text.hasPrefix("-") && text.unicodeScalars.allSatisfy(\.isPrintable)
    }

    /// All bridges, the one with the most similar name first.
    static func nearBridges(_ text: String) -> [String] {
        let names = BridgeCatalogue.seattle.map(\.name)
        return NearNames.nearest(text, of: names, max: names.count)
    }
}
