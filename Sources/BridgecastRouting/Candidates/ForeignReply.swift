internal import BridgecastSupport
internal import BridgecastCore

/// The outermost fields of a document, as far as any known service or format has them.
struct ForeignReply: Decodable {
    let names: FieldNames
    /// OpenTripPlanner's plan, if there is one.
    let plan: OpenTripPlannerPlan?
    private let fields: Fields

    init(from decoder: any Decoder) throws {
        names = try FieldNames(from: decoder)
        plan = try? OpenTripPlannerPlan(from: decoder)
        fields = try Fields(from: decoder)
    }

    var type: String? { fields.type }
    var hasRoutes: Bool { fields.routes != nil }
    /// Whether there are routes as OSRM and its kin write them.
    var isLikeOSRM: Bool {
        fields.code == "Ok" || (routes ?? []).contains { $0.hasAny(of: "legs", "geometry") }
    }

    /// What a service says instead of routes, or which other format this is; nil if it may hold routes.
    var refusal: String? {
        if let message { return "the route service answered: \(message)" }
        guard let format else { return nil }
        return
            "looks like \(format), which Bridgecast does not read; it reads \(CandidateFile.formats)"
    }

    /// The fields of the routes; nil if they are no list of objects.
    private var routes: [FieldNames]? {
        let routes = fields.routes?.compactMap(\.wrappedValue)
        return routes?.count == fields.routes?.count ? routes : nil
    }

    // MARK: What a service reports

    /// What a service says instead of routes; nil if it says nothing of the kind.
    var message: String? {
        // OSRM, Mapbox, Valhalla in OSRM's form, GraphHopper's navigation.
        if let code = fields.code {
            return code == "Ok" ? nil : Self.joined(code, fields.message)
        }
        // OpenTripPlanner's GraphQL, and any other.
        if let first = fields.errors?.first { return Self.joined(first.message) }
        if let plan { return Self.joined(plan.refusal ?? "a plan without itineraries") }
        switch fields.error {
        // OpenTripPlanner (msg), openrouteservice and Google (message).
        case .object(let error): return Self.joined(error.message, error.msg)
        // Valhalla, with its number.
        case .text(let error):
            return Self.joined(error) + (fields.errorCode.map { " (error \($0))" } ?? "")
        case nil: break
        }
        // GraphHopper with its hints, and what comes before Mapbox and others.
        if !names.hasAny(of: "routes"), let message = fields.message { return Self.joined(message) }
        if let status = fields.status, status != "OK", hasNoWay {
            return Self.joined(status, fields.errorMessage)
        }
        let notice = fields.notices?.first { $0.severity == "critical" }
        return notice.map { Self.joined($0.code, $0.title) }
    }

    /// Whether Google says with its status that there is no way.
    private var hasNoWay: Bool {
        names.hasAny(of: "geocoded_waypoints", "error_message") || fields.routes?.isEmpty == true
    }

    private static func joined(_ parts: String?...) -> String {
        let text = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
        return text.isEmpty ? "an error without a message" : printable(text, maxLength: 200)
    }

    // MARK: Other formats

    private var format: String? {
        switch type {
        case "GeometryCollection", "Point", "MultiPoint", "Polygon", "MultiPolygon":
            return type.map { "a GeoJSON \($0)" }
        case "Topology": return "TopoJSON"
        default: break
        }
        if names.hasAny(of: "durations", "sources_to_targets") { return "a table of travel times" }
        if names.hasAny(of: "trips") { return "a reply of trip planning" }
        if names.hasAny(of: "matchings") { return "a reply of map matching" }
        if names.hasAny(of: "polygons") { return "isochrones" }
        return routes?.first.flatMap(formatOfRoutes)
    }

    private func formatOfRoutes(like route: FieldNames) -> String? {
        let isTomTom = names.hasAny(of: "formatVersion")
        if route.hasAny(of: "overview_polyline") { return "a reply of Google's Directions API" }
        if route.hasAny(of: "polyline", "distanceMeters") {
            return "a reply of Google's Routes API"
        }
        if route.hasAny(of: "sections"), !isTomTom, !route.hasAny(of: "summary") {
            return "a reply of HERE's routing"
        }
        return isTomTom || route.hasAny(of: "sections") ? "a reply of TomTom's routing" : nil
    }
}

// MARK: As it is written

extension ForeignReply {
    struct ErrorObject: Decodable {
        @LenientValue var message: String?
        @LenientValue var msg: String?
    }

    private enum ReportedError: Decodable {
        case text(String)
        case object(ErrorObject)

        init(from decoder: any Decoder) throws {
            let text = try? decoder.singleValueContainer().decode(String.self)
            self = try text.map(Self.text) ?? .object(ErrorObject(from: decoder))
        }
    }

    private struct Notice: Decodable {
        @LenientValue var severity: String?
        @LenientValue var code: String?
        @LenientValue var title: String?
    }

    private struct Fields: Decodable {
        @LenientValue var type: String?
        @LenientValue var code: String?
        @LenientValue var message: String?
        @LenientValue var errors: [ErrorObject]?
        @LenientValue var error: ReportedError?
        @LenientValue var status: String?
        @LenientValue var errorMessage: String?
        @LenientValue var errorCode: Int?
        @LenientValue var routes: [LenientValue<FieldNames>]?
        @LenientValue var notices: [Notice]?

        enum CodingKeys: String, CodingKey {
            case type, code, message, errors, error, status, routes, notices
            case errorMessage = "error_message"
            case errorCode = "error_code"
        }
    }
}
