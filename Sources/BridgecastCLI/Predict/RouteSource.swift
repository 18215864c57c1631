// Where the routes that are ranked come from; shown with them, and part of the JSON of `predict` and `depart`.
import BridgecastCore
import BridgecastData

/// Where routes come from.
struct RouteSource: Encodable {
    /// What gave them.
    enum Kind: String, Encodable {
        case roads, file, commutes, osrm, valhalla
    }

    let kind: Kind
    /// The route server's address, if it is one.
    var url: String?
    /// How many requests it was sent.
    var requests: Int?
    /// What was not answered, corrected or set aside, and why our roads were taken instead.
    var notes: [String] = []

    /// A route server's answer.
    init(_ router: Router, _ answer: RouterRoutes) {
        kind = router.kind == .osrm ? .osrm : .valhalla
        (url, requests, notes) = (router.publicURL, answer.requests, answer.notes)
    }

    /// Any other source.
    init(_ kind: Kind, notes: [String] = []) { (self.kind, self.notes) = (kind, notes) }

    /// For people; nil where it goes without saying.
    var words: String? {
        url.map { "Routes of \(kind == .osrm ? "OSRM" : "Valhalla") at \(printable($0))" }
    }
}
