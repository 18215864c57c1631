// The newest second as text, for Gate: all answers of a second say it, and to write it takes longer than the rest.
internal import BridgecastCore
private import Synchronization

/// Keeps the text of the moment that was asked for last.
final class TimeTextMemory: Sendable {
    private let kept = Mutex<(moment: Timestamp, text: String)?>(nil)

    /// The moment as RFC 3339.
    func text(_ moment: Timestamp) -> String {
        kept.withLock { kept in
            if let kept, kept.moment == moment { return kept.text }
            let text = TimeText.rfc3339(moment)
            kept = (moment, text)
            return text
        }
    }
}
