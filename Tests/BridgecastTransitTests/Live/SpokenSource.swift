// A realtime feed that says what a test has it say, and counts how often it is asked.
import BridgecastCore
import BridgecastTransit
import Synchronization

/// A source with answers of a test's.
final class SpokenSource: RealtimeSource {
    /// What it answers.
    enum Answer: Sendable {
        case bytes([UInt8])
        case unchanged
        case failure
        /// Not before the test lets it.
        case held(AsyncStream<Void>)
    }

    /// What it throws when it fails.
    struct Silence: Error, CustomStringConvertible {
        let description = "nobody answers"
    }

    let id: String
    private let state: Mutex<(answer: Answer, count: Int)>

    init(_ id: String, _ answer: Answer) {
        self.id = id
        state = Mutex((answer, 0))
    }

    /// How often it was asked.
    var count: Int { state.withLock { $0.count } }

    /// Has it say something else from now on.
    func say(_ answer: Answer) { state.withLock { $0.answer = answer } }

    func fetch(at now: Timestamp) async throws -> [UInt8]? {
        let answer = state.withLock { state in
            state.count += 1
            return state.answer
        }
        switch answer {
        case .bytes(let bytes): return bytes
        case .unchanged: return nil
        case .failure: throw Silence()
        case .held(let stream):
            for await _ in stream {}
            return nil
        }
    }
}
