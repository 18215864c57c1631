// Bridge states from a file: the city's GetBridgeData reply, or Bridgecast's own clearer format.
public import BridgecastCore
public import BridgecastSupport
public import Foundation

/// Reads live bridge states.
///
/// Two formats are recognised:
/// - the reply of the city's `GetBridgeData`: a JSON array of `{BridgeID, Status, ...}`, or a JSON
///   string that contains one; `Status` "Open" is raised, "Closed" is lowered;
/// - `{"asOf": time, "observedSince": time, "bridges": [{"bridge": name or id, "state": "raised" |
///   "lowered" | "unknown", "since": time}], "openings": [{"bridge", "raised", "lowered"}]}`, in
///   which only `bridges` is required; nothing in it may be after `asOf`, and no bridge may appear twice.
public enum LiveFile {
    /// Reads a file in either format.
    ///
    /// - Throws: ``DocumentError`` with the entry and field that are wrong.
    public static func read(_ url: URL) throws(DocumentError) -> LiveSnapshot {
        try InputFile(url).content(snapshot)
    }

    /// Reads states in memory, such as a reply of the feed.
    ///
    /// - Parameter name: Their name in messages.
    /// - Throws: ``DocumentError`` with the entry and field that are wrong.
    public static func read(
        _ data: Data, name: String = "live states"
    ) throws(DocumentError) -> LiveSnapshot {
        try InputFile(data, name: name).content(snapshot)
    }

    private static func snapshot(_ data: Data) throws(DocumentProblem) -> LiveSnapshot {
        try JSONDocument.decoded(
            EitherFormat.self, from: data,
            whole: DocumentProblem("", "not live bridge states: not valid JSON")
        ).snapshot
    }

    /// A document in either format: only Bridgecast's is an object.
    private struct EitherFormat: Decodable {
        let snapshot: LiveSnapshot

        init(from decoder: any Decoder) throws {
            guard (try? FieldNames(from: decoder)) != nil else {
                snapshot = try Self.reply(decoder)
                return
            }
            do {
                snapshot = try StrictObject<LiveDocument>(from: decoder).object.snapshot()
            } catch is DecodingError {
                throw DocumentProblem(
                    "", "expected GetBridgeData's array, or an object with \"bridges\"")
            }
        }

        private static func reply(_ decoder: any Decoder) throws -> LiveSnapshot {
            do {
                return LiveSnapshot(
                    asOf: nil, states: try BridgeDataReply.Document(from: decoder).reply.states)
            } catch {
                throw DocumentProblem(
                    decoding: error, whole: BridgeDataReply.Document.unknownFormat)
            }
        }
    }
}

/// Bridgecast's own format: states of bridges with times, and openings.
struct LiveDocument: StrictDecodable {
    let asOf: String?
    let observedSince: String?
    let bridges: [StrictObject<State>]
    let openings: [StrictObject<Span>]?

    enum CodingKeys: CodingKey, CaseIterable { case asOf, observedSince, bridges, openings }

    struct State: StrictDecodable {
        let bridge: String
        let state: String
        let since: String?

        enum CodingKeys: CodingKey, CaseIterable { case bridge, state, since }
    }

    struct Span: StrictDecodable {
        let bridge: String
        let raised: String
        let lowered: String?

        enum CodingKeys: CodingKey, CaseIterable { case bridge, raised, lowered }
    }

    /// - Throws: ``DocumentProblem`` with the entry and field that are wrong.
    func snapshot() throws(DocumentProblem) -> LiveSnapshot {
        let asOf = try asOf.map { text throws(DocumentProblem) in try Self.time(text, at: "asOf") }
        var states: [BridgeIndex: SpanState] = [:]
        for (number, entry) in bridges.enumerated() {
            try add(entry.object, at: "bridges[\(number)]", to: &states, asOf: asOf)
        }
        var found: [Opening] = []
        for (number, entry) in (openings ?? []).enumerated() {
            found.append(try opening(entry.object, at: "openings[\(number)]", states, asOf: asOf))
        }
        let since = try past(observedSince, at: "observedSince", asOf: asOf)
        return LiveSnapshot(
            asOf: asOf, states: states, openings: found,
            observedSince: since.map { since in states.mapValues { _ in since } } ?? [:])
    }

    private func add(
        _ entry: State, at location: String, to states: inout [BridgeIndex: SpanState],
        asOf: Timestamp?
    ) throws(DocumentProblem) {
        let bridge = try Self.bridge(entry.bridge, at: "\(location).bridge")
        guard states[bridge] == nil else {
            throw DocumentProblem(
                "\(location).bridge", "\(BridgeCatalogue[bridge].name) appears twice")
        }
        let since = try past(entry.since, at: "\(location).since", asOf: asOf)
        switch entry.state {
        case "raised": states[bridge] = .raised(since: since)
        case "lowered": states[bridge] = .lowered
        case "unknown": states[bridge] = .unknown
        default:
            throw DocumentProblem(
                "\(location).state",
                "'\(printable(entry.state, maxLength: 30))' is not raised, lowered or unknown")
        }
    }

    private func opening(
        _ entry: Span, at location: String, _ states: [BridgeIndex: SpanState], asOf: Timestamp?
    ) throws(DocumentProblem) -> Opening {
        let raised = try past(entry.raised, at: "\(location).raised", asOf: asOf)
        let lowered = try past(entry.lowered, at: "\(location).lowered", asOf: asOf)
        if let lowered, lowered < raised {
            throw DocumentProblem("\(location).lowered", "is before raised")
        }
        let bridge = try Self.bridge(entry.bridge, at: "\(location).bridge")
        guard lowered != nil || states[bridge] != .lowered else {
            throw DocumentProblem(
                "\(location).lowered", "is missing, but \(BridgeCatalogue[bridge].name) is lowered")
        }
        return Opening(bridge: bridge, start: raised, end: lowered)
    }

    private func past(
        _ text: String?, at location: String, asOf: Timestamp?
    ) throws(DocumentProblem) -> Timestamp? {
        guard let text else { return nil }
        return try past(text, at: location, asOf: asOf) as Timestamp
    }

    private func past(
        _ text: String, at location: String, asOf: Timestamp?
    ) throws(DocumentProblem) -> Timestamp {
        let time = try Self.time(text, at: location)
        if let asOf, time > asOf { throw DocumentProblem(location, "is after asOf") }
        guard time >= .earliestPlausible else { throw DocumentProblem(location, "is before 2001") }
        return time
    }

    private static func bridge(
        _ text: String, at location: String
    ) throws(DocumentProblem) -> BridgeIndex {
        guard let bridge = BridgeCatalogue.index(named: text) else {
            throw DocumentProblem(location, "unknown bridge '\(printable(text, maxLength: 40))'")
        }
        return bridge
    }

    private static func time(
        _ text: String, at location: String
    ) throws(DocumentProblem) -> Timestamp {
        do {
            return try TimeText.parse(text)
        } catch {
            throw DocumentProblem(location, "\(error)")
        }
    }
}
