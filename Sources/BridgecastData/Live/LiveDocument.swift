// Our own form of live states: what it holds, and what is wrong with it; used by LiveFile.
internal import BridgecastCore

/// States of bridges with times, and openings.
struct LiveDocument: OwnObject {
    let asOf: String?
    let observedSince: String?
    let bridges: [Strict<State>]
    let openings: [Strict<Span>]?

    enum CodingKeys: CodingKey, CaseIterable { case asOf, observedSince, bridges, openings }

    /// The state of a bridge.
    struct State: OwnObject {
        let bridge: String
        let state: String
        let since: String?

        enum CodingKeys: CodingKey, CaseIterable { case bridge, state, since }
    }

    /// An opening.
    struct Span: OwnObject {
        let bridge: String
        let raised: String
        let lowered: String?

        enum CodingKeys: CodingKey, CaseIterable { case bridge, raised, lowered }
    }

    /// What the document says.
    ///
    /// - Throws: ``DocumentProblem`` naming the entry and field that are wrong.
    func snapshot() throws(DocumentProblem) -> LiveSnapshot {
        let asOf = try asOf.map { text throws(DocumentProblem) in try Self.moment(text, "asOf") }
        var states: [BridgeIndex: SpanState] = [:]
        for (number, entry) in bridges.enumerated() {
            try add(entry.object, "bridges[\(number)]", to: &states, asOf)
        }
        var found: [Opening] = []
        for (number, entry) in (openings ?? []).enumerated() {
            found.append(try opening(entry.object, "openings[\(number)]", states, asOf))
        }
        let since = try past(observedSince, "observedSince", asOf)
        return LiveSnapshot(
            asOf: asOf, states: states, openings: found,
            observedSince: since.map { since in states.mapValues { _ in since } } ?? [:])
    }

    private func add(
        _ entry: State, _ place: String, to states: inout [BridgeIndex: SpanState],
        _ asOf: Timestamp?
    ) throws(DocumentProblem) {
        let bridge = try Self.bridge(entry.bridge, "\(place).bridge")
        guard states[bridge] == nil else {
            throw DocumentProblem(
                "\(place).bridge", "\(BridgeCatalogue[bridge].name) stands twice")
        }
        let since = try past(entry.since, "\(place).since", asOf)
        switch entry.state {
        case "raised": states[bridge] = .raised(since: since)
        case "lowered": states[bridge] = .lowered
        case "unknown": states[bridge] = .unknown
        default:
            throw DocumentProblem(
                "\(place).state",
                "'\(printable(entry.state, most: 30))' is not raised, lowered or unknown")
        }
    }

    private func opening(
        _ entry: Span, _ place: String, _ states: [BridgeIndex: SpanState], _ asOf: Timestamp?
    ) throws(DocumentProblem) -> Opening {
        let raised = try past(entry.raised, "\(place).raised", asOf)
        let lowered = try past(entry.lowered, "\(place).lowered", asOf)
        if let lowered, lowered < raised {
            throw DocumentProblem("\(place).lowered", "lies before raised")
        }
        let bridge = try Self.bridge(entry.bridge, "\(place).bridge")
        guard lowered != nil || states[bridge] != .lowered else {
            throw DocumentProblem(
                "\(place).lowered",
                "is missing, but \(BridgeCatalogue[bridge].name) is lowered")
        }
        return Opening(bridge: bridge, start: raised, end: lowered)
    }

    private func past(
        _ text: String?, _ place: String, _ asOf: Timestamp?
    ) throws(DocumentProblem) -> Timestamp? {
        guard let text else { return nil }
        return try past(text, place, asOf) as Timestamp
    }

    private func past(
        _ text: String, _ place: String, _ asOf: Timestamp?
    ) throws(DocumentProblem) -> Timestamp {
        let moment = try Self.moment(text, place)
        if let asOf, moment > asOf { throw DocumentProblem(place, "lies after asOf") }
        guard moment >= .earliestPlausible else { throw DocumentProblem(place, "lies before 2001") }
        return moment
    }

    private static func bridge(
        _ text: String, _ place: String
    ) throws(DocumentProblem) -> BridgeIndex {
        guard let bridge = BridgeCatalogue.index(named: text) else {
            throw DocumentProblem(place, "unknown bridge '\(printable(text, most: 40))'")
        }
        return bridge
    }

    private static func moment(
        _ text: String, _ place: String
    ) throws(DocumentProblem) -> Timestamp {
        do {
            return try TimeText.parse(text)
        } catch {
            throw DocumentProblem(place, "\(error)")
        }
    }
}
