// A reply of OneBusAway's arrivals-and-departures-for-stop into a realtime feed of one stop.
internal import BridgecastCore

/// Reads `arrivals-and-departures-for-stop` (developer.onebusaway.org), whose times are milliseconds and 0 for none.
///
/// Each predicted arrival becomes a trip update with the one stop, each vehicle with a place a report, and each
/// situation an alert. What is only scheduled says nothing that a timetable does not, and is left out. Identifiers keep the
/// agency's prefix, `1_75403`; see ``AgencyPrefix``.
struct OneBusAwayReader {
    var intake: RealtimeIntake
    private let root: JSONTree
    private var zones: [String: TransitZone] = [:]
    private var firstZone: TransitZone?

    init(_ root: JSONTree, _ intake: RealtimeIntake) { (self.root, self.intake) = (root, intake) }

    /// Whether a document is a reply of OneBusAway's, of whatever method.
    static func isReply(_ root: JSONTree) -> Bool {
        root["code"] != nil && root["version"] != nil && root["text"] != nil
    }

    /// The feed.
    ///
    /// - Throws: `DocumentProblem` if the reply is a refusal, or about something else.
    mutating func feed() throws(DocumentProblem) -> RealtimeFeed {
        if let code = intake.integer(root, "code"), code != 200 {
            let words = intake.text(root, "text") ?? ""
            throw DocumentProblem(
                "", "OneBusAway refused: \(code) \(printable(words, most: 60))")
        }
        guard let data = root["data"], let entry = data["entry"],
            entry["arrivalsanddepartures"] != nil
        else {
            throw DocumentProblem(
                "data.entry",
                "a OneBusAway reply, but none of arrivals-and-departures-for-stop")
        }
        var feed = RealtimeFeed(version: "2.0", timestamp: milliseconds(root, "currenttime"))
        readZones(data["references"])
        let arrivals = distinct(try intake.list(entry, "arrivalsanddepartures"))
        for arrival in arrivals { addTrip(arrival, to: &feed) }
        var seen: Set<String> = []
        for arrival in arrivals { addVehicle(arrival, to: &feed, &seen) }
        for situation in try intake.list(data["references"] ?? .null, "situations") {
            feed.entities.append(try self.situation(situation))
        }
        return feed
    }

    /// Agencies' clocks, which service days are by.
    private mutating func readZones(_ references: JSONTree?) {
        guard let references, case .list(let agencies)? = references["agencies"] else { return }
        for agency in agencies {
            guard let id = intake.text(agency, "id"),
                let name = intake.text(agency, "timezone"), let zone = TransitZone(name)
            else { continue }
            zones[id] = zone
            firstZone = firstZone ?? zone
        }
    }

    /// Arrivals without those that tell of the same trip again.
    ///
    /// Of two, the one with the vehicle that the trip's status names is kept, as others are placeholders; else the newer
    /// one.
    private mutating func distinct(_ arrivals: [JSONTree]) -> [JSONTree] {
        var places: [[String]: Int] = [:]
        var kept: [JSONTree] = []
        for arrival in arrivals {
            let key = ["tripid", "servicedate", "stopsequence"].map {
                intake.text(arrival, $0) ?? ""
            }
            guard let place = places[key] else {
                places[key] = kept.count
                kept.append(arrival)
                continue
            }
            intake.subject = .item("trip", key[0])
            intake.note(.warning, "duplicate_arrival", "tripId", "stands twice; one is used")
            if rank(arrival) > rank(kept[place]) { kept[place] = arrival }
        }
        return kept
    }

    /// How far an arrival is to be believed: its vehicle's standing, then its age.
    private mutating func rank(_ arrival: JSONTree) -> (Int, Int64) {
        let isConfirmed = hasOwnVehicle(arrival)
        return (isConfirmed ? 1 : 0, intake.integer(arrival, "lastupdatetime") ?? 0)
    }

    /// Whether the vehicle of an arrival is the one whose place its trip's status tells.
    mutating func hasOwnVehicle(_ arrival: JSONTree) -> Bool {
        name(arrival, "vehicleid") == name(arrival["tripstatus"] ?? .null, "vehicleid")
    }

    private mutating func addTrip(_ arrival: JSONTree, to feed: inout RealtimeFeed) {
        guard let id = name(arrival, "tripid") else { return }
        intake.subject = .item("trip", id)
        let isCancelled = [arrival, arrival["tripstatus"] ?? .null].contains {
            ["CANCELED", "CANCELLED"].contains(intake.text($0, "status") ?? "")
        }
        let isPredicted = intake.flag(arrival, "predicted") ?? false
        guard isPredicted || isCancelled else { return }
        var update = TripUpdate()
        (update.trip.tripID, update.trip.routeID) = (id, name(arrival, "routeid"))
        update.trip.startDate = startDate(arrival)
        update.trip.relationship = isCancelled ? .cancelled : nil
        update.timestamp = milliseconds(arrival, "lastupdatetime")
        update.vehicle = vehicleLabel(arrival)
        if !isCancelled { update.stops = [stop(arrival)] }
        feed.entities.append(RealtimeEntity(id: "trip \(id)", tripUpdate: update))
    }

    private mutating func stop(_ arrival: JSONTree) -> StopTimeUpdate {
        var stop = StopTimeUpdate()
        stop.stopID = name(arrival, "stopid")
        // stopSequence counts from 0 and is not the timetable's: the stop is told by its identifier.
        stop.arrival = event(arrival, "predictedarrivaltime", "scheduledarrivaltime")
        stop.departure = event(arrival, "predicteddeparturetime", "scheduleddeparturetime")
        stop.departureOccupancy = occupancy(arrival, "predictedoccupancy")
        return stop
    }

    private mutating func event(
        _ arrival: JSONTree, _ predicted: String, _ scheduled: String
    ) -> StopTimeEvent? {
        guard let time = milliseconds(arrival, predicted) else { return nil }
        let planned = milliseconds(arrival, scheduled)
        return StopTimeEvent(
            delaySeconds: planned.map { Int(time.secondsSinceEpoch - $0.secondsSinceEpoch) },
            time: time, scheduledTime: planned)
    }

    /// The service day by the clock of the trip's agency; midday decides, as days that change clocks begin at 23 or 1.
    mutating func startDate(_ arrival: JSONTree) -> String? {
        guard let day = milliseconds(arrival, "servicedate") else { return nil }
        let agency = name(arrival, "tripid").flatMap { AgencyPrefix.parts(of: $0)?.agency }
        let zone = agency.flatMap { zones[String($0)] } ?? firstZone ?? .seattle
        let date = zone.civil(at: day.adding(seconds: 43_200)).date
        return "\(date)".filter { $0 != "-" }
    }

    mutating func vehicleLabel(_ arrival: JSONTree) -> VehicleLabel? {
        guard let id = name(arrival, "vehicleid") else { return nil }
        var label = VehicleLabel()
        (label.id, label.label) = (id, AgencyPrefix.bare(id))
        return label
    }

    mutating func occupancy(_ tree: JSONTree, _ member: String) -> Occupancy? {
        intake.choice(tree, member, .occupancy).flatMap(Occupancy.init)
    }

    /// A text that is not empty.
    mutating func name(_ tree: JSONTree, _ member: String) -> String? {
        intake.text(tree, member).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A moment from milliseconds; nil for 0.
    mutating func milliseconds(_ tree: JSONTree, _ member: String) -> Timestamp? {
        guard let number = intake.integer(tree, member), number > 0 else { return nil }
        return Timestamp(secondsSinceEpoch: number / 1000)
    }
}
