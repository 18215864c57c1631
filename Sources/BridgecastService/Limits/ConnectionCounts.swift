// Counting what is open, in all and of each client address: connections, and the streams of ClientLimits. Connections
// also learn here that the service is ending.
package import NIOCore
private import Synchronization

package final class ConnectionCounts: Sendable {
    enum Entry {
        case pass(CountedPass)
        case refused(Refusal)
    }

    private let counter: ClientCounter
    private let meters: RefusalMeters?
    private let drainBegan = Mutex<NIODeadline?>(nil)

    package convenience init(_ settings: ServiceSettings) { self.init(settings, meters: nil) }

    init(_ settings: ServiceSettings, meters: RefusalMeters?) {
        counter = ClientCounter(
            max: settings.maxConnections, perClient: settings.maxConnectionsPerClient)
        self.meters = meters
    }

    package var count: Int { counter.count }

    /// When the service began to end; nil while it goes on.
    ///
    /// From then on each answer is the last of its connection.
    package var drainingSince: NIODeadline? { drainBegan.withLock { $0 } }

    /// Has every connection end with its next answer.
    package func beginDraining() { drainBegan.withLock { $0 = $0 ?? .now() } }

    /// Waits until no connection is open, but no longer than some seconds.
    func waitUntilClosed(maxSeconds: Double) async {
        let end = ContinuousClock.now + .seconds(maxSeconds)
        while count > 0, ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
        }
    }

    /// Counts a connection until its pass is closed or released.
    ///
    /// - Parameter isProxy: Whether the peer forwards many clients; then only the overall limit applies.
    func open(_ peer: ClientAddress, isProxy: Bool) -> Entry {
        switch counter.open(peer, isExempt: isProxy) {
        case .pass(let pass): return .pass(pass)
        case .refused(let isFull, _):
            let refusal: Refusal = isFull ? .tooManyConnections : .tooManyConnectionsOfClient
            count(refusal)
            return .refused(refusal)
        }
    }

    func count(_ refusal: Refusal) { meters?.count(refusal) }
}

/// Counts what clients have open, up to a limit in all and of each address.
final class ClientCounter: Sendable {
    enum Entry {
        case pass(CountedPass)
        case refused(isFull: Bool, isClientFull: Bool)
    }

    private struct State {
        var count = 0
        var ofClient: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())
    private let max: Int
    private let maxPerClient: Int

    init(max: Int, perClient: Int) {
        self.max = max
        maxPerClient = perClient
    }

    var count: Int { state.withLock { $0.count } }

    /// Counts something of an address until the pass is closed or released.
    ///
    /// - Parameter isExempt: Whether the limit of an address does not apply.
    func open(_ address: ClientAddress, isExempt: Bool = false) -> Entry {
        let key = address.counted
        let (isFull, isClientFull) = state.withLock { state in
            let ofClient = state.ofClient[key, default: 0]
            let isFull = state.count >= max
            let isClientFull = !isExempt && ofClient >= maxPerClient
            if !isFull, !isClientFull {
                state.count += 1
                state.ofClient[key] = ofClient + 1
            }
            return (isFull, isClientFull)
        }
        guard !isFull, !isClientFull else {
            return .refused(isFull: isFull, isClientFull: isClientFull)
        }
        return .pass(CountedPass { [weak self] in self?.close(key) })
    }

    private func close(_ key: ClientAddress) {
        state.withLock { state in
            state.count -= 1
            let left = state.ofClient[key, default: 1] - 1
            state.ofClient[key] = left > 0 ? left : nil
        }
    }
}

/// Something that is counted until it is closed or released.
package final class CountedPass: Sendable {
    private let isOpen = Atomic<Bool>(true)
    private let onClose: @Sendable () -> Void

    init(onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }

    /// Ends the counting; closing twice is harmless.
    package func close() {
        if isOpen.exchange(false, ordering: .acquiringAndReleasing) { onClose() }
    }

    deinit { close() }
}
