// A part of a candidate, such as a leg by bus; used by Candidate and CandidateCollector.
internal import BridgecastCore

/// A part of a candidate: a line, when it begins, and whether it can be stopped by a drawbridge.
struct CandidatePart {
    var line: CandidateLine
    /// Seconds from the departure.
    var startSeconds = 0.0
    /// Whether one is on the decks of bridges: not in a train or on a ferry.
    var isOnDeck = true
    /// How one travels here, if the source says.
    var mode: Route.Mode?
}
