// What a reply is that holds no routes for us: a service's error, or a format that is not read; used by
// CandidateFile.
import BridgecastCore

enum ForeignReply {
    /// What a service says instead of routes, or which other format this is; nil if it may hold routes.
    static func refusal(in value: [String: Any]) -> String? {
        if let error = error(in: value) { return "the route service answered: \(error)" }
        guard let name = format(of: value) else { return nil }
        return
            "looks like \(name), which Bridgecast does not read; it reads \(CandidateFile.formats)"
    }

    /// A service's own words, by where the known services put them.
    private static func error(in value: [String: Any]) -> String? {
        let message = value["message"] as? String
        if let code = value["code"] as? String {
            // OSRM, Mapbox, Valhalla in OSRM's form, GraphHopper's navigation.
            return code == "Ok" ? nil : words([code, message])
        }
        // OpenTripPlanner's GraphQL, and any other.
        if let errors = value["errors"] as? [[String: Any]], let first = errors.first {
            return words([first["message"] as? String])
        }
        if let plan = OpenTripPlannerPlan(value) {
            return words([plan.refusal ?? "a plan without itineraries"])
        }
        if let error = value["error"] as? [String: Any] {
            // OpenTripPlanner (msg), openrouteservice and Google (message).
            return words([error["message"] as? String, error["msg"] as? String])
        }
        if let error = value["error"] as? String { return words([error]) }
        // GraphHopper with its hints, and what stands before Mapbox and others.
        if value["routes"] == nil, let message { return words([message]) }
        if let status = value["status"] as? String, status != "OK",
            value["geocoded_waypoints"] != nil
                || value["error_message"] != nil || (value["routes"] as? [Any])?.isEmpty == true
        {
            return words([status, value["error_message"] as? String])
        }
        let notices = value["notices"] as? [[String: Any]] ?? []
        if let notice = notices.first(where: { $0["severity"] as? String == "critical" }) {
            return words([notice["code"] as? String, notice["title"] as? String])
        }
        return nil
    }

    private static func words(_ parts: [String?]) -> String {
        let text = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
        return text.isEmpty ? "an error without words" : printable(text, most: 200)
    }

    /// The formats that people are likely to have at hand.
    private static func format(of value: [String: Any]) -> String? {
        if let type = value["type"] as? String {
            switch type {
            case "GeometryCollection", "Point", "MultiPoint", "Polygon", "MultiPolygon":
                return "a GeoJSON \(type)"
            case "Topology": return "TopoJSON"
            default: break
            }
        }
        if value["durations"] != nil || value["sources_to_targets"] != nil {
            return "a table of travel times"
        }
        if value["trips"] != nil { return "a reply of trip planning" }
        if value["matchings"] != nil { return "a reply of map matching" }
        if value["polygons"] != nil { return "isochrones" }
        guard let route = (value["routes"] as? [[String: Any]])?.first else { return nil }
        if route["overview_polyline"] != nil { return "a reply of Google's Directions API" }
        if route["polyline"] != nil || route["distanceMeters"] != nil {
            return "a reply of Google's Routes API"
        }
        if route["sections"] != nil {
            return value["formatVersion"] != nil || route["summary"] != nil
                ? "a reply of TomTom's routing" : "a reply of HERE's routing"
        }
        if value["formatVersion"] != nil { return "a reply of TomTom's routing" }
        return nil
    }
}
