// The parameters behind the question mark, read strictly: a wrong one is named with what it takes. Used by handlers.
package import BridgecastCore
private import HTTPTypes

/// Parameters of a request by name.
package struct Query: Sendable {
    private var values: [(name: String, value: String)] = []

    /// More parameters than these are refused.
    private static let mostParameters = 40

    /// No parameters.
    package init() {}

    /// Reads a query, percent-encoded (RFC 3986), `+` for a blank.
    ///
    /// - Parameter known: The names there are; another one is refused.
    /// - Throws: ``Problem`` 400.
    package init(_ text: Substring?, known: [String]) throws(Problem) {
        guard let text, !text.isEmpty else { return }
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decoded(part[..<(equals ?? part.endIndex)]),
                let value = equals.map({ Self.decoded(part[part.index(after: $0)...]) }) ?? ""
            else {
                throw Problem(
                    .badRequest, .badRequest,
                    "the query is not percent-encoded UTF-8",
                    recovery: "encode parameters as RFC 3986 has it")
            }
            guard known.contains(name) else {
                throw Problem(
                    .badRequest, .unknownParameter,
                    "there is no parameter '\(printable(name, most: 40))' here",
                    recovery: known.isEmpty
                        ? "leave it out: this resource takes no parameters"
                        : "this resource takes \(known.joined(separator: ", "))",
                    parameter: printable(name, most: 40), near: known)
            }
            guard !values.contains(where: { $0.name == name }) else {
                throw .parameter(name, "stands twice", takes: "one value")
            }
            guard !value.isEmpty else {
                throw .parameter(name, "is empty", takes: "a value; leave it out for the usual one")
            }
            values.append((name, value))
            guard values.count <= Self.mostParameters else {
                throw Problem(
                    .badRequest, .badRequest, "more than \(Self.mostParameters) parameters",
                    recovery: "send each once")
            }
        }
    }

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        PercentEncoding.decoded(text, blank: UInt8(ascii: "+"))
    }

    /// A parameter as text; nil if it is not there.
    package func text(_ name: String) -> String? {
        values.first { $0.name == name }?.value
    }

    /// A parameter that must be there.
    package func required(_ name: String, takes: String) throws(Problem) -> String {
        guard let text = text(name) else {
            throw Problem(
                .badRequest, .missingParameter, "\(name) is missing",
                recovery: "\(name) takes \(takes)", parameter: name)
        }
        return text
    }

    /// A whole number in a range; `usual` if it is not there.
    package func integer(
        _ name: String, in range: ClosedRange<Int>, usual: Int
    ) throws(Problem) -> Int {
        guard let text = text(name) else { return usual }
        guard let value = Int(text), range.contains(value) else {
            throw .parameter(
                name, "'\(printable(text, most: 40))' cannot be used",
                takes: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A number in a range; nil if it is not there.
    package func number(
        _ name: String, in range: ClosedRange<Double>, unit: String
    ) throws(Problem) -> Double? {
        guard let text = text(name) else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw .parameter(
                name, "'\(printable(text, most: 40))' cannot be used",
                takes:
                    "\(unit) from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
            )
        }
        return value
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// A moment: RFC 3339, or Seattle time without an offset; nil if it is not there.
    package func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = text(name) else { return nil }
        do {
            return try TimeText.parse(text)
        } catch {
            throw .parameter(
                name, printable("\(error)", most: 200),
                takes: "RFC 3339, or Seattle time such as 2026-02-20T17:50")
        }
    }

    /// A value of a list; `usual` if it is not there.
    package func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, usual: Choice
    ) throws(Problem) -> Choice {
        guard let text = text(name) else { return usual }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue)
            throw .parameter(
                name, "'\(printable(text, most: 40))' cannot be used",
                takes: all.joined(separator: ", "), near: all)
        }
        return choice
    }

    /// How one travels; by car unless something else is said.
    package func mode() throws(Problem) -> Route.Mode { try choice("mode", usual: .car) }

    /// A bridge by name or the city's number.
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
            name, "there is no bridge '\(printable(text, most: 40))'",
            takes: "a bridge's name or the city's number",
            near: nearBridges(text))
    }

    /// Whether a name can be one: names are compared by their letters and digits, so that what is none of either
    /// would be overlooked.
    static func isPlain(_ text: String) -> Bool {
        !text.hasPrefix("-") && text.unicodeScalars.allSatisfy(\.isPrintable)
    }

    /// All bridges, the one that a text is nearest to first.
    static func nearBridges(_ text: String) -> [String] {
        let names = BridgeCatalogue.seattle.map(\.name)
        return NearNames.nearest(text, of: names, most: names.count)
    }
}
