// Memory that no search uses at the moment, so that the next one need not make its own; one per hierarchy.
import Synchronization

/// Memory to lend, at most a few searches' worth.
final class SearchMemories: Sendable {
    private let idle = Mutex<[SearchMemory]>([])

    func borrow(vertexCount: Int) -> SearchMemory {
        var memory = idle.withLock { $0.popLast() } ?? SearchMemory(vertexCount: vertexCount)
        memory.renew()
        return memory
    }

    func giveBack(_ memory: SearchMemory) {
        idle.withLock { if $0.count < 4 { $0.append(memory) } }
    }
}
