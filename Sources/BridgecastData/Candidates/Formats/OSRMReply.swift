// OSRM's route reply, and those that are like it: Mapbox Directions, openrouteservice, Valhalla and GraphHopper in
// OSRM's form; one of the formats of CandidateDocument.
internal import BridgecastCore

/// A reply with `routes`.
struct OSRMReply: CandidateFormat {
    @Lenient private var routes: [Lenient<OSRMRoute>]?
    @Lenient private var metadata: Metadata?

    /// What openrouteservice repeats of the request.
    private struct Metadata: Decodable {
        @Lenient var query: Query?
    }

    private struct Query: Decodable {
        /// Whether points have heights.
        @Lenient var elevation: Bool?
    }

    func collect(into collector: inout CandidateCollector) throws {
        guard let routes else { throw DocumentProblem("routes", "are missing") }
        let usual = LineReading(
            precision: 5, dimensions: metadata?.query?.elevation == true ? 3 : 2)
        try collector.attemptEach(of: routes, "routes") { route, place, reader in
            try route.candidate(usual, place, &reader)
        }
    }
}
