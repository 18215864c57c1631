// What reading candidates gives; made by CandidateFile, used by the commands and hosts.
public import BridgecastCore

/// Candidate routes as read.
public struct CandidateRoutes: Sendable {
    /// The routes.
    public let routes: [Route]
    /// What was corrected, estimated or set aside, for people.
    public let notes: [String]
    /// The bridges of each route by name, those that never open among them; none for routes of our own format.
    package var decks: [[String]] = []
}
