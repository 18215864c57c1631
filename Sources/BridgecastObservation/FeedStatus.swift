// When a feed last said something, and what is wrong with it.
public import BridgecastCore

/// How a feed is doing.
nonisolated public struct FeedStatus: Sendable, Equatable, Identifiable {
    /// The feed's name.
    public var id: String
    /// When its last good answer came; nil before the first.
    public var fetchedAt: Timestamp?
    /// What is wrong with it now; nil if nothing is.
    public var problem: String?
    /// What of that anybody may read: no address and no path; nil if nothing is wrong.
    public var publicProblem: String?

    /// Creates a status.
    ///
    /// - Parameter publicProblem: What strangers are told; unless stated, only that something is wrong.
    public init(
        id: String, fetchedAt: Timestamp?, problem: String?, publicProblem: String? = nil
    ) {
        (self.id, self.fetchedAt, self.problem) = (id, fetchedAt, problem)
        self.publicProblem = problem.map { _ in publicProblem ?? "it failed" }
    }
}
