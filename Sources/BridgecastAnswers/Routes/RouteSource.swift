// Where the routes that are ranked come from; shown with them, and part of the JSON of predictions and departures.
package import BridgecastData

/// Where routes come from.
package struct RouteSource: Sendable, Equatable, JSONAnswer {
    /// What gave them.
    package enum Kind: String, Sendable {
        /// Our own road network, a file, the shipped commutes, what a client of the service sent.
        case roads, file, commutes, candidates
        /// Route servers.
        case osrm, valhalla
    }

    /// What gave them.
    package let kind: Kind
    /// The route server's address, if it is one.
    package var url: String?
    /// How many requests it was sent.
    package var requests: Int?
    /// What was not answered, corrected or set aside, and why our roads were taken instead.
    package var notes: [String] = []

    /// A route server's answer.
    package init(_ router: Router, _ answer: RouterRoutes) {
        kind = router.kind == .osrm ? .osrm : .valhalla
        (url, requests, notes) = (router.publicURL, answer.requests, answer.notes)
    }

    /// Any other source.
    package init(_ kind: Kind, notes: [String] = []) { (self.kind, self.notes) = (kind, notes) }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("kind", kind.rawValue)
            json.field("url", url)
            json.field("requests", requests)
            json.list("notes", notes)
        }
    }
}
