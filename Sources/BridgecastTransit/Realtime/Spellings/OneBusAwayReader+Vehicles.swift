// Vehicles and situations of a OneBusAway reply into reports and alerts.
internal import BridgecastCore

extension OneBusAwayReader {
    /// Adds where the vehicle of an arrival is, once for all arrivals that it serves.
    mutating func addVehicle(
        _ arrival: JSONTree, to feed: inout RealtimeFeed, _ seen: inout Set<String>
    ) {
        guard let status = arrival["tripstatus"], intake.flag(status, "predicted") ?? false,
            let label = vehicleLabel(status), let id = label.id, seen.insert(id).inserted,
            let place = status["lastknownlocation"] ?? status["position"]
        else { return }
        intake.subject = .item("vehicle", id)
        var report = VehicleReport()
        report.vehicle = label
        var trip = TripSelector()
        trip.tripID = name(status, "activetripid") ?? name(arrival, "tripid")
        if trip.tripID == name(arrival, "tripid") {
            (trip.routeID, trip.startDate) = (name(arrival, "routeid"), startDate(arrival))
        }
        report.trip = trip
        report.latitude = intake.float(place, "lat")
        report.longitude = intake.float(place, "lon")
        report.bearing = intake.real(status, "orientation").map(Self.bearing)
        report.timestamp =
            milliseconds(status, "lastlocationupdatetime")
            ?? milliseconds(status, "lastupdatetime")
        report.occupancy = occupancy(status, "occupancystatus")
        // What the arrival says is of its own vehicle, which may be another one.
        if report.occupancy == nil, hasOwnVehicle(arrival) {
            report.occupancy = occupancy(arrival, "occupancystatus")
        }
        feed.entities.append(RealtimeEntity(id: "vehicle \(id)", vehicle: report))
    }

    /// Degrees clockwise from north, of degrees counter-clockwise from east, as OneBusAway has them.
    static func bearing(_ orientation: Double) -> Float {
        let bearing = (90 - orientation).truncatingRemainder(dividingBy: 360)
        return Float(bearing < 0 ? bearing + 360 : bearing)
    }

    /// An alert.
    mutating func situation(_ tree: JSONTree) throws(DocumentProblem) -> RealtimeEntity {
        var alert = ServiceAlert()
        for window in try intake.list(tree, "activewindows") {
            alert.activePeriods.append(
                ServiceAlert.Period(start: edge(window, "from"), end: edge(window, "to")))
        }
        var seen: Set<ServiceAlert.Selector> = []
        for affected in try intake.list(tree, "allaffects") {
            let selector = self.selector(affected)
            if seen.insert(selector).inserted { alert.informed.append(selector) }
        }
        alert.cause = intake.choice(tree, "reason", .cause)
        for consequence in try intake.list(tree, "consequences") where alert.effect == nil {
            alert.effect = intake.choice(consequence, "condition", .effect)
        }
        alert.header = text(tree, "summary")
        alert.description = text(tree, "description")
        alert.url = text(tree, "url")
        return RealtimeEntity(id: "situation \(name(tree, "id") ?? "")", alert: alert)
    }

    /// A moment in seconds or, as some servers have it, in milliseconds; nil for 0.
    private mutating func edge(_ window: JSONTree, _ member: String) -> Timestamp? {
        guard let number = intake.integer(window, member), number > 0 else { return nil }
        return Timestamp(
            secondsSinceEpoch: number > Self.largestSeconds ? number / 1000 : number)
    }

    private static let largestSeconds: Int64 = 260_000_000_000

    private mutating func selector(_ tree: JSONTree) -> ServiceAlert.Selector {
        var selector = ServiceAlert.Selector()
        selector.agencyID = name(tree, "agencyid")
        selector.routeID = name(tree, "routeid")
        selector.stopID = name(tree, "stopid")
        selector.direction = name(tree, "directionid").flatMap { Int($0) }
        if let id = name(tree, "tripid") {
            var trip = TripSelector()
            trip.tripID = id
            selector.trip = trip
        }
        return selector
    }

    /// `{"value": text, "lang": language}`, or nothing.
    private mutating func text(_ tree: JSONTree, _ member: String) -> [ServiceAlert.Translation] {
        guard let member = tree[member], let value = name(member, "value") else { return [] }
        return [ServiceAlert.Translation(value, language: name(member, "lang") ?? "")]
    }
}
