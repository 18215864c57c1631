// A candidate that has been read, in whatever format; made by the formats, made a route of by CandidateCollector.
internal import BridgecastCore

/// A way from a start to an end.
struct Candidate {
    /// Its lines in order.
    var parts: [CandidatePart]
    /// What its source calls it; may be empty.
    var name: String
    /// How one travels if no part over a drawbridge says; nil if the source does not tell.
    var usualMode: Route.Mode?

    /// A candidate of several parts.
    init(_ parts: [CandidatePart], name: String, usualMode: Route.Mode? = nil) {
        (self.parts, self.name, self.usualMode) = (parts, name, usualMode)
    }

    /// A candidate of one line.
    init(_ line: CandidateLine, name: String) {
        self.init([CandidatePart(line: line)], name: name)
    }
}
