// Bridge states from a file: the city's GetBridgeData reply as it is, or our own clearer form.
public import BridgecastCore
public import Foundation

/// Reads live bridge states.
///
/// Two forms are recognised:
/// - the reply of the city's `GetBridgeData`: a JSON array of `{BridgeID, Status, ...}`, or a JSON
///   string that contains one; `Status` "Open" is raised, "Closed" is lowered;
/// - `{"asOf": time, "observedSince": time, "bridges": [{"bridge": name or id, "state": "raised" |
///   "lowered" | "unknown", "since": time}], "openings": [{"bridge", "raised", "lowered"}]}`, in
///   which only `bridges` is required; nothing in it may lie after `asOf`, and no bridge may stand twice.
public enum LiveFile {
    /// Reads a file of either form.
    ///
    /// - Throws: ``RecordFileError`` naming the entry and field that are wrong.
    public static func read(_ url: URL) throws(RecordFileError) -> LiveSnapshot {
        try read(try InputFile(url))
    }

    /// Reads states that are in memory, such as the feed's reply.
    ///
    /// - Parameter name: What to call them in messages.
    /// - Throws: ``RecordFileError`` naming the entry and field that are wrong.
    public static func read(
        _ data: Data, name: String = "live states"
    ) throws(RecordFileError) -> LiveSnapshot {
        try read(try InputFile(data, name: name))
    }

    private static func read(_ input: InputFile) throws(RecordFileError) -> LiveSnapshot {
        do {
            return try LiveReader(path: input.path).snapshot(Data(input.bytes))
        } catch let error as RecordFileError {
            throw error
        } catch {
            throw RecordFileError(
                .content, path: input.path, reason: "not live bridge states: not valid JSON")
        }
    }
}

private struct LiveReader {
    let path: String

    private struct Document: Decodable {
        struct State: Decodable {
            let bridge: String
            let state: String
            let since: String?
        }

        struct Span: Decodable {
            let bridge: String
            let raised: String
            let lowered: String?
        }

        let asOf: String?
        let observedSince: String?
        let bridges: [State]
        let openings: [Span]?
    }

    func snapshot(_ data: Data) throws -> LiveSnapshot {
        let json = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
        guard let object = json as? [String: Any] else {
            do throws(FeedRefusal) {
                return LiveSnapshot(asOf: nil, states: try BridgeDataReply(Array(data)).states)
            } catch {
                throw refusal(error.reason)
            }
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
            throw refusal("expected GetBridgeData's array, or an object with \"bridges\"")
        }
        try checkNames(object)
        return try own(document)
    }

    /// A name that is spelled wrong would say nothing, unnoticed.
    private func checkNames(_ object: [String: Any]) throws {
        func check(_ object: [String: Any], _ known: [String], _ place: String) throws {
            if let problem = unknownField(of: object, known: known) {
                throw refusal(place + problem)
            }
        }
        try check(object, ["asOf", "observedSince", "bridges", "openings"], "")
        for (list, known) in [
            ("bridges", ["bridge", "state", "since"]),
            ("openings", ["bridge", "raised", "lowered"]),
        ] {
            for (number, entry) in (object[list] as? [[String: Any]] ?? []).enumerated() {
                try check(entry, known, "\(list)[\(number)]: ")
            }
        }
    }

    private func own(_ document: Document) throws -> LiveSnapshot {
        let asOf = try document.asOf.map { try moment($0, "asOf") }
        func past(_ text: String, _ field: String) throws -> Timestamp {
            let moment = try moment(text, field)
            guard asOf.map({ moment <= $0 }) ?? true else {
                throw refusal("\(field): lies after asOf")
            }
            guard moment >= .earliestPlausible else {
                throw refusal("\(field): lies before 2001")
            }
            return moment
        }
        var states: [BridgeIndex: SpanState] = [:]
        for (number, entry) in document.bridges.enumerated() {
            let bridge = try bridge(entry.bridge, "bridges[\(number)].bridge")
            guard states[bridge] == nil else {
                throw refusal(
                    "bridges[\(number)].bridge: \(BridgeCatalogue[bridge].name) stands twice")
            }
            let since = try entry.since.map { try past($0, "bridges[\(number)].since") }
            switch entry.state {
            case "raised": states[bridge] = .raised(since: since)
            case "lowered": states[bridge] = .lowered
            case "unknown": states[bridge] = .unknown
            default:
                let word = printable(entry.state, most: 30)
                throw refusal(
                    "bridges[\(number)].state: '\(word)' is not raised, lowered or unknown")
            }
        }
        let openings = try (document.openings ?? []).enumerated().map { number, entry in
            let name = "openings[\(number)]"
            let raised = try past(entry.raised, "\(name).raised")
            let lowered = try entry.lowered.map { try past($0, "\(name).lowered") }
            guard lowered.map({ $0 >= raised }) ?? true else {
                throw refusal("\(name).lowered: lies before raised")
            }
            let bridge = try bridge(entry.bridge, "\(name).bridge")
            guard lowered != nil || states[bridge] != .lowered else {
                throw refusal(
                    "\(name).lowered: is missing, but \(BridgeCatalogue[bridge].name) is lowered")
            }
            return Opening(bridge: bridge, start: raised, end: lowered)
        }
        let observedSince = try document.observedSince.map { try past($0, "observedSince") }
        return LiveSnapshot(
            asOf: asOf, states: states, openings: openings,
            observedSince: Dictionary(
                uniqueKeysWithValues: observedSince.map { since in states.keys.map { ($0, since) } }
                    ?? []))
    }

    private func bridge(_ text: String, _ field: String) throws -> BridgeIndex {
        guard let bridge = BridgeCatalogue.index(named: text) else {
            throw refusal("\(field): unknown bridge '\(printable(text, most: 40))'")
        }
        return bridge
    }

    private func moment(_ text: String, _ field: String) throws -> Timestamp {
        do {
            return try TimeText.parse(text)
        } catch {
            throw refusal("\(field): \(error)")
        }
    }

    private func refusal(_ reason: String) -> RecordFileError {
        RecordFileError(.content, path: path, reason: reason)
    }
}
