// How many connections there are, in all and of each client address; each server has one.
private import Synchronization

/// Connections that are open.
package final class ConnectionCounts: Sendable {
    /// Whether a connection may stay.
    enum Entry {
        case pass(StreamPass)
        case refused(Refusal)
    }

    private struct State {
        var count = 0
        var ofClient: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())
    private let most: Int
    private let mostPerClient: Int
    private let meters: RefusalMeters?

    /// Creates counts with the limits of the settings.
    package convenience init(_ settings: ServiceSettings) { self.init(settings, meters: nil) }

    /// Creates counts that are metered.
    init(_ settings: ServiceSettings, meters: RefusalMeters?) {
        (most, mostPerClient) = (settings.mostConnections, settings.mostConnectionsPerClient)
        self.meters = meters
    }

    /// Connections that are open and were not refused.
    package var count: Int { state.withLock { $0.count } }

    /// Counts a connection until its pass is closed or goes.
    ///
    /// - Parameter isProxy: Whether the peer speaks for many clients; then only the limit of all holds.
    func open(_ peer: ClientAddress, isProxy: Bool) -> Entry {
        let key = peer.counted
        let refusal: Refusal? = state.withLock { state in
            let ofClient = state.ofClient[key, default: 0]
            if state.count >= most { return .tooManyConnections }
            if !isProxy, ofClient >= mostPerClient { return .tooManyConnectionsOfClient }
            state.count += 1
            state.ofClient[key] = ofClient + 1
            return nil
        }
        if let refusal {
            count(refusal)
            return .refused(refusal)
        }
        return .pass(StreamPass { [weak self] in self?.close(key) })
    }

    /// Counts what was refused on a connection.
    func count(_ refusal: Refusal) { meters?.count(refusal) }

    private func close(_ key: ClientAddress) {
        state.withLock { state in
            state.count -= 1
            let left = state.ofClient[key, default: 1] - 1
            state.ofClient[key] = left > 0 ? left : nil
        }
    }
}
