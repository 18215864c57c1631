// What a route server answered, as routes that are worth ranking; made by RouterFeed out of the replies.
package import BridgecastCore

/// The routes of a trip, out of several replies.
package struct RouterRoutes: Sendable {
    /// The routes, the quickest first.
    package let routes: [Route]
    /// What was not answered, corrected or set aside, for people.
    package let notes: [String]
    /// How many requests were sent.
    package let requests: Int
}
