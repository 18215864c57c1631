// The right of a client to one stream of events or one connection; given by ClientLimits and ConnectionCounts.
private import Synchronization

/// Something that is counted until it is closed.
package final class StreamPass: Sendable {
    private let isOpen = Atomic<Bool>(true)
    private let onClose: @Sendable () -> Void

    init(onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }

    /// Gives the right back; closing twice is no harm.
    package func close() {
        if isOpen.exchange(false, ordering: .acquiringAndReleasing) { onClose() }
    }

    deinit { close() }
}
