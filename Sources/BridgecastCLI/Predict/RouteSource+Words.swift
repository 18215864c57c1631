// Where ranked routes come from, in words: above the tables of `predict` and `depart`.
import BridgecastAnswers
import BridgecastCore

extension RouteSource {
    /// For people; nil where it goes without saying.
    var words: String? {
        url.map { "Routes of \(kind == .osrm ? "OSRM" : "Valhalla") at \(printable($0))" }
    }
}
