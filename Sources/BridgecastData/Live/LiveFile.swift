// Bridge states from a file: the city's GetBridgeData reply as it is, or our own clearer form.
// Belongs here: what is known of bridges now, as documents say it; not: how they are fetched (Feeds).
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
    /// - Throws: ``DocumentError`` naming the entry and field that are wrong.
    public static func read(_ url: URL) throws(DocumentError) -> LiveSnapshot {
        try InputFile(url).content(snapshot)
    }

    /// Reads states that are in memory, such as the feed's reply.
    ///
    /// - Parameter name: What to call them in messages.
    /// - Throws: ``DocumentError`` naming the entry and field that are wrong.
    public static func read(
        _ data: Data, name: String = "live states"
    ) throws(DocumentError) -> LiveSnapshot {
        try InputFile(data, name: name).content(snapshot)
    }

    private static func snapshot(_ data: Data) throws(DocumentProblem) -> LiveSnapshot {
        try JSONDocument.decoded(
            EitherForm.self, from: data,
            whole: DocumentProblem("", "not live bridge states: not valid JSON")
        ).snapshot
    }

    /// A document of either form: only ours is an object.
    private struct EitherForm: Decodable {
        let snapshot: LiveSnapshot

        init(from decoder: any Decoder) throws {
            guard (try? FieldNames(from: decoder)) != nil else {
                snapshot = try Self.reply(decoder)
                return
            }
            do {
                snapshot = try Strict<LiveDocument>(from: decoder).object.snapshot()
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
                throw DocumentProblem(decoding: error, whole: BridgeDataReply.Document.mistaken)
            }
        }
    }
}
