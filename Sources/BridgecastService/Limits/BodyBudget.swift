private import Synchronization

/// The bytes of request bodies that may be held at once, by all requests together.
final class BodyBudget: Sendable {
    private let held = Atomic<Int>(0)
    private let max: Int

    /// - Parameter max: Bytes in all.
    init(max: Int) { self.max = max }

    var bytesHeld: Int { held.load(ordering: .relaxed) }

    /// A share of one request, initially empty.
    func share() -> Share { Share(self) }

    /// The bytes that one request holds, at most until the share is released.
    final class Share: Sendable {
        private let budget: BodyBudget
        private let bytes = Atomic<Int>(0)

        fileprivate init(_ budget: BodyBudget) { self.budget = budget }

        /// Holds more bytes.
        ///
        /// - Throws: ``Problem`` 503 if the budget is exhausted.
        func take(_ count: Int) throws(Problem) {
            let (_, held) = budget.held.add(count, ordering: .relaxed)
            guard held <= budget.max else {
                budget.held.subtract(count, ordering: .relaxed)
                throw Problem(
                    .overloaded, "too many large bodies are being read",
                    recovery: "try again in some seconds, or send less at once",
                    retryAfterSeconds: 5)
            }
            bytes.add(count, ordering: .relaxed)
        }

        func giveBack() {
            budget.held.subtract(bytes.exchange(0, ordering: .relaxed), ordering: .relaxed)
        }

        deinit { giveBack() }
    }
}
