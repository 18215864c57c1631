// Looks at the memory of the machine and of the service's control group, and shrinks the cache while it is short.
internal import BridgecastSupport
internal import Logging
internal import ServiceLifecycle
private import Synchronization

/// Shrinks the cache of a service while memory is short.
final class MemoryWatch: Service {
    private let state: ServiceState
    private let read: @Sendable () -> MemoryStatus
    private let isShort = Atomic(false)

    /// Seconds between two looks: the kernel's average is over ten.
    private static let lookSeconds = 10.0

    /// - Parameter read: Reads the status of the memory.
    init(
        state: ServiceState, read: @escaping @Sendable () -> MemoryStatus = { .current() }
    ) {
        self.state = state
        self.read = read
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                self.look()
                try await Task.sleep(for: .seconds(Self.lookSeconds))
            }
        }
    }

    /// Looks once.
    func look() {
        let status = read()
        let was = isShort.load(ordering: .relaxed)
        let isShort = status.isShort(wasShort: was)
        guard isShort != was else { return }
        self.isShort.store(isShort, ordering: .relaxed)
        state.cache.set(isMemoryShort: isShort)
        state.log.warning(
            isShort ? "memory is short, the cache is smaller" : "memory is no longer short",
            metadata: [
                "resident_bytes": "\(status.residentBytes ?? 0)",
                "stalled_percent": "\(status.stalledPercent ?? 0)",
                "cache_bytes": "\(state.cache.usedBytes)",
            ])
    }
}
