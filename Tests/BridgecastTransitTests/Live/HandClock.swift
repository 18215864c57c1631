// A clock that a test sets by hand; nobody who sleeps on it wakes up by himself.
import BridgecastCore
import Synchronization

/// A clock that shows what it was set to.
final class HandClock: WallClock {
    private let moment: Mutex<Timestamp>

    init(_ moment: Timestamp) { self.moment = Mutex(moment) }

    var now: Timestamp { moment.withLock { $0 } }

    /// Goes forwards, or backwards by a negative number.
    func move(seconds: Int64) { moment.withLock { $0 = $0.adding(seconds: seconds) } }

    func sleep(until other: Timestamp) async throws { try await Task.sleep(for: .seconds(3600)) }
    func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(3600)) }
}
