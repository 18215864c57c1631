// How many bytes of bodies may be held at once, by all requests together; the gate asks before it keeps a piece.
internal import HTTPTypes
private import Synchronization

/// Bytes of bodies that are being read or worked on.
final class BodyBudget: Sendable {
    private let held = Atomic<Int>(0)
    private let most: Int

    /// - Parameter most: Bytes in all.
    init(most: Int) { self.most = most }

    /// Bytes that are held now.
    var bytesHeld: Int { held.load(ordering: .relaxed) }

    /// What one request holds; it begins with nothing.
    func share() -> Share { Share(self) }

    /// The bytes that one request holds; given back at the latest when nobody has the share any more.
    final class Share: Sendable {
        private let budget: BodyBudget
        private let bytes = Atomic<Int>(0)

        fileprivate init(_ budget: BodyBudget) { self.budget = budget }

        /// Holds more bytes.
        ///
        /// - Throws: ``Problem`` 503 where all are held.
        func take(_ count: Int) throws(Problem) {
            let (_, held) = budget.held.add(count, ordering: .relaxed)
            guard held <= budget.most else {
                budget.held.subtract(count, ordering: .relaxed)
                throw Problem(
                    .serviceUnavailable, .overloaded, "too many large bodies are being read",
                    recovery: "try again in some seconds, or send less at once",
                    retryAfterSeconds: 5)
            }
            bytes.add(count, ordering: .relaxed)
        }

        /// Holds nothing any more.
        func giveBack() {
            budget.held.subtract(bytes.exchange(0, ordering: .relaxed), ordering: .relaxed)
        }

        deinit { giveBack() }
    }
}
