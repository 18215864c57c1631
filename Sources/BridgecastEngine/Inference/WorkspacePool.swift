// Workspaces that are not in use; TrafficInference lends one to each computation.
internal import Synchronization

/// Workspaces that tasks borrow; as many as have ever been needed at once.
final class WorkspacePool: Sendable {
    private let idle = Mutex<[Workspace]>([])
    private let threads: Int

    init(threads: Int) { self.threads = threads }

    func withWorkspace(_ body: (inout Workspace) -> Void) {
        var workspace = idle.withLock { $0.popLast() } ?? Workspace(threads: threads)
        body(&workspace)
        let borrowed = workspace
        idle.withLock { $0.append(borrowed) }
    }
}
