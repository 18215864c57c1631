// A clock for tests: sleeping moves it.
package import BridgecastCore
private import Synchronization

/// A clock whose sleeps return immediately and move it.
package final class JumpingClock: WallClock {
    private let state: Mutex<(now: Timestamp, waits: [Double])>

    package init(_ now: Timestamp) { state = Mutex((now, [])) }

    package var now: Timestamp { state.withLock { $0.now } }
    /// The seconds of all sleeps so far.
    package var waits: [Double] { state.withLock { $0.waits } }

    /// The sum of all sleeps.
    package var monotonicSeconds: Double { waits.reduce(0, +) }

    package func sleep(seconds: Double) async throws {
        state.withLock {
            $0.waits.append(seconds)
            $0.now = $0.now.adding(seconds: Int64(seconds.rounded(.up)))
        }
    }
}
