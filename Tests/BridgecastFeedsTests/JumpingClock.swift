// A clock on which nobody waits in vain, and a log that nobody reads; shared by the tests of this folder.
import BridgecastCore
import BridgecastTestSupport
import Logging
import Synchronization

/// A clock on which nobody waits in vain: sleeping moves it.
final class JumpingClock: WallClock {
    private let state: Mutex<(moment: Timestamp, slept: [Double])>

    init(_ moment: Timestamp) { state = Mutex((moment, [])) }

    var now: Timestamp { state.withLock { $0.moment } }
    var waits: [Double] { state.withLock { $0.slept } }

    func sleep(until other: Timestamp) async throws {
        state.withLock { $0.moment = max($0.moment, other) }
    }

    func sleep(seconds: Double) async throws {
        state.withLock {
            $0.slept.append(seconds)
            $0.moment = $0.moment.adding(seconds: Int64(seconds.rounded(.up)))
        }
    }
}

/// The clock of these tests' clients.
let jumpingClock = JumpingClock(Fixtures.moment("2026-11-21T12:00"))

/// A log that says nothing.
let quietLog = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
