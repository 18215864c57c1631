// A reply of OneBusAway as a realtime feed of one stop, and its identifiers, which have the agency as a prefix.
internal import BridgecastCore
internal import BridgecastRealtimeWire
internal import BridgecastSupport

/// Converts `arrivals-and-departures-for-stop` (developer.onebusaway.org), whose times are milliseconds and 0 for none.
///
/// Each predicted arrival becomes a trip update with the one stop, each vehicle with a position a vehicle position, and
/// each situation an alert. What is only scheduled says nothing that a timetable does not, and is left out. Identifiers keep
/// the agency's prefix, `1_75403`; see ``AgencyPrefix``.
struct OneBusAwayReader {
    var context: ReadingContext
    private let root: JSONTree
    private var message = TransitRealtime_FeedMessage()
    private var zones: [String: TransitZone] = [:]
    private var firstZone: TransitZone?
    /// Identifiers of vehicles that are in the message.
    private var vehicles: Set<String> = []

    init(_ root: JSONTree, _ context: ReadingContext) {
        self.root = root
        self.context = context
    }

    /// Whether a document is a reply of OneBusAway, of whatever method.
    static func isReply(_ root: JSONTree) -> Bool {
        root["code"] != nil && root["version"] != nil && root["text"] != nil
    }

    /// Reads the feed.
    ///
    /// - Throws: `DocumentProblem` if the reply is a refusal, or of another method.
    mutating func feed() throws(DocumentProblem) -> RealtimeFeed {
        if let code = context.integer(root["code"], "code"), code != 200 {
            let text = context.text(root["text"], "text") ?? ""
            throw DocumentProblem(
                "", "OneBusAway refused: \(code) \(printable(text, maxLength: 60))")
        }
        guard let data = root["data"], let entry = data["entry"],
            let arrivals = entry["arrivalsanddepartures"]
        else {
            throw DocumentProblem(
                "data.entry",
                "a OneBusAway reply, but none of arrivals-and-departures-for-stop")
        }
        message.header.gtfsRealtimeVersion = "2.0"
        if let seconds = seconds(root, "currenttime") {
            message.header.timestamp = UInt64(seconds)
        }
        readZones(data["references"])
        let distinct = distinctArrivals(context.list(arrivals, "arrivalsAndDepartures"))
        for arrival in distinct { addTrip(arrival) }
        for arrival in distinct { addVehicle(arrival) }
        for situation in context.list(data["references"]?["situations"], "situations") {
            addSituation(situation)
        }
        return try context.feed(message)
    }

    /// Reads the time zones of agencies, which service days depend on.
    private mutating func readZones(_ references: JSONTree?) {
        guard let references, case .list(let agencies)? = references["agencies"] else { return }
        for agency in agencies {
            guard let id = context.text(agency["id"], "id"),
                let name = context.text(agency["timezone"], "timezone"),
                let zone = TransitZone(name)
            else { continue }
            zones[id] = zone
            firstZone = firstZone ?? zone
        }
    }

    /// The arrivals without those that repeat a trip.
    ///
    /// Of two, the one with the vehicle that the trip's status names is kept, as others are placeholders; else the newer
    /// one.
    private mutating func distinctArrivals(_ arrivals: [JSONTree]) -> [JSONTree] {
        var indices: [[String]: Int] = [:]
        var kept: [JSONTree] = []
        for arrival in arrivals {
            let key = ["tripid", "servicedate", "stopsequence"].map {
                context.text(arrival[$0], $0) ?? ""
            }
            guard let index = indices[key] else {
                indices[key] = kept.count
                kept.append(arrival)
                continue
            }
            context.subject = .item("trip", key[0])
            context.note(
                .warning, "duplicate_arrival", field: "tripId", "occurs twice; one is used")
            if rank(arrival) > rank(kept[index]) { kept[index] = arrival }
        }
        return kept
    }

    /// How reliable an arrival is: by its vehicle, then by its age.
    private mutating func rank(_ arrival: JSONTree) -> (Int, Int64) {
        let isConfirmed = hasOwnVehicle(arrival)
        return (
            isConfirmed ? 1 : 0, context.integer(arrival["lastupdatetime"], "lastUpdateTime") ?? 0
        )
    }

    /// Whether the vehicle of an arrival is the one in its trip's status.
    private mutating func hasOwnVehicle(_ arrival: JSONTree) -> Bool {
        text(arrival, "vehicleid") == text(arrival["tripstatus"] ?? .null, "vehicleid")
    }

    // MARK: Trips

    private mutating func addTrip(_ arrival: JSONTree) {
        guard let id = text(arrival, "tripid") else { return }
        context.subject = .item("trip", id)
        let isCancelled = [arrival, arrival["tripstatus"] ?? .null].contains {
            ["CANCELED", "CANCELLED"].contains(context.text($0["status"], "status") ?? "")
        }
        let isPredicted = context.flag(arrival["predicted"], "predicted") ?? false
        guard isPredicted || isCancelled else { return }
        var update = TransitRealtime_TripUpdate()
        update.trip = trip(of: arrival)
        if isCancelled { update.trip.scheduleRelationship = .canceled }
        if let seconds = seconds(arrival, "lastupdatetime") { update.timestamp = UInt64(seconds) }
        if let vehicle = vehicle(arrival) { update.vehicle = vehicle }
        if !isCancelled { update.stopTimeUpdate = [stop(arrival)] }
        var entity = TransitRealtime_FeedEntity()
        entity.id = "trip \(id)"
        entity.tripUpdate = update
        message.entity.append(entity)
    }

    /// An arrival's own trip.
    private mutating func trip(of arrival: JSONTree) -> TransitRealtime_TripDescriptor {
        var trip = TransitRealtime_TripDescriptor()
        if let id = text(arrival, "tripid") { trip.tripID = id }
        if let route = text(arrival, "routeid") { trip.routeID = route }
        if let date = startDate(arrival) { trip.startDate = date }
        return trip
    }

    private mutating func stop(
        _ arrival: JSONTree
    ) -> TransitRealtime_TripUpdate.StopTimeUpdate {
        var stop = TransitRealtime_TripUpdate.StopTimeUpdate()
        if let id = text(arrival, "stopid") { stop.stopID = id }
        // stopSequence counts from 0 and is not the timetable's: the stop's identifier has to do.
        if let event = event(arrival, "predictedarrivaltime", scheduled: "scheduledarrivaltime") {
            stop.arrival = event
        }
        if let event = event(
            arrival, "predicteddeparturetime", scheduled: "scheduleddeparturetime")
        {
            stop.departure = event
        }
        if let occupancy = occupancy(arrival, "predictedoccupancy") {
            stop.departureOccupancyStatus = occupancy
        }
        return stop
    }

    private mutating func event(
        _ arrival: JSONTree, _ predicted: String, scheduled: String
    ) -> TransitRealtime_TripUpdate.StopTimeEvent? {
        guard let time = seconds(arrival, predicted) else { return nil }
        var event = TransitRealtime_TripUpdate.StopTimeEvent()
        event.time = time
        if let scheduled = seconds(arrival, scheduled) {
            event.delay = Int32(clamping: time - scheduled)
            event.scheduledTime = scheduled
        }
        return event
    }

    /// The service day in the time zone of the trip's agency.
    private mutating func startDate(_ arrival: JSONTree) -> String? {
        guard let start = seconds(arrival, "servicedate") else { return nil }
        let agency = text(arrival, "tripid").flatMap { AgencyPrefix.parts(of: $0)?.agency }
        let zone = agency.flatMap { zones[String($0)] } ?? firstZone ?? .seattle
        // Noon, as days on which clocks change begin at 23 or 1.
        let noon = Timestamp(secondsSinceEpoch: start).adding(seconds: 43_200)
        return "\(zone.civil(at: noon).date)".filter { $0 != "-" }
    }

    // MARK: Vehicles

    /// Adds the position of an arrival's vehicle, once for all arrivals that it serves.
    private mutating func addVehicle(_ arrival: JSONTree) {
        guard let status = arrival["tripstatus"],
            context.flag(status["predicted"], "predicted") ?? false,
            let label = vehicle(status), vehicles.insert(label.id).inserted,
            let location = status["lastknownlocation"] ?? status["position"]
        else { return }
        context.subject = .item("vehicle", label.id)
        var report = TransitRealtime_VehiclePosition()
        report.vehicle = label
        report.trip = activeTrip(status, arrival)
        read(location, status, into: &report)
        let seconds =
            seconds(status, "lastlocationupdatetime") ?? seconds(status, "lastupdatetime")
        if let seconds { report.timestamp = UInt64(seconds) }
        // The arrival's occupancy is that of its own vehicle, which may be another one.
        let occupancy =
            occupancy(status, "occupancystatus")
            ?? (hasOwnVehicle(arrival) ? occupancy(arrival, "occupancystatus") : nil)
        if let occupancy { report.occupancyStatus = occupancy }
        var entity = TransitRealtime_FeedEntity()
        entity.id = "vehicle \(label.id)"
        entity.vehicle = report
        message.entity.append(entity)
    }

    /// The trip that a vehicle is on, which may be the one before the arrival's.
    private mutating func activeTrip(
        _ status: JSONTree, _ arrival: JSONTree
    ) -> TransitRealtime_TripDescriptor {
        guard let active = text(status, "activetripid"), active != text(arrival, "tripid") else {
            return trip(of: arrival)
        }
        var trip = TransitRealtime_TripDescriptor()
        trip.tripID = active
        return trip
    }

    private mutating func read(
        _ location: JSONTree, _ status: JSONTree, into report: inout TransitRealtime_VehiclePosition
    ) {
        if let latitude = context.real(location["lat"], "lat") {
            report.position.latitude = Float(latitude)
        }
        if let longitude = context.real(location["lon"], "lon") {
            report.position.longitude = Float(longitude)
        }
        if let orientation = context.real(status["orientation"], "orientation") {
            report.position.bearing = Self.bearing(orientation)
        }
    }

    /// Degrees clockwise from north, of degrees counter-clockwise from east, which OneBusAway has.
    private static func bearing(_ orientation: Double) -> Float {
        let bearing = (90 - orientation).truncatingRemainder(dividingBy: 360)
        return Float(bearing < 0 ? bearing + 360 : bearing)
    }

    private mutating func vehicle(_ tree: JSONTree) -> TransitRealtime_VehicleDescriptor? {
        guard let id = text(tree, "vehicleid") else { return nil }
        var vehicle = TransitRealtime_VehicleDescriptor()
        vehicle.id = id
        vehicle.label = AgencyPrefix.bare(id)
        return vehicle
    }

    // MARK: Alerts

    private mutating func addSituation(_ tree: JSONTree) {
        context.subject = .item("situation", text(tree, "id") ?? "")
        var alert = TransitRealtime_Alert()
        for window in context.list(tree["activewindows"], "activeWindows") {
            alert.activePeriod.append(period(window))
        }
        var seen: Set<TransitRealtime_EntitySelector> = []
        for affected in context.list(tree["allaffects"], "allAffects") {
            let selector = self.selector(affected)
            if seen.insert(selector).inserted { alert.informedEntity.append(selector) }
        }
        if let cause = context.choice(tree["reason"], "reason", among: EnumNumbers.cause)
            .flatMap(TransitRealtime_Alert.Cause.init)
        {
            alert.cause = cause
        }
        for consequence in context.list(tree["consequences"], "consequences")
        where !alert.hasEffect {
            let effect = context.choice(
                consequence["condition"], "condition", among: EnumNumbers.effect
            )
            .flatMap(TransitRealtime_Alert.Effect.init)
            if let effect { alert.effect = effect }
        }
        alert.headerText = translated(tree, "summary")
        alert.descriptionText = translated(tree, "description")
        alert.url = translated(tree, "url")
        var entity = TransitRealtime_FeedEntity()
        entity.id = "situation \(text(tree, "id") ?? "")"
        entity.alert = alert
        message.entity.append(entity)
    }

    private mutating func period(_ window: JSONTree) -> TransitRealtime_TimeRange {
        var period = TransitRealtime_TimeRange()
        if let start = edge(window, "from") { period.start = start }
        if let end = edge(window, "to") { period.end = end }
        return period
    }

    /// Seconds, or milliseconds as some servers have them; nil for 0.
    private mutating func edge(_ window: JSONTree, _ member: String) -> UInt64? {
        guard let number = context.integer(window[member], member), number > 0 else { return nil }
        return UInt64(number > ReadingContext.largestSeconds ? number / 1000 : number)
    }

    private mutating func selector(_ tree: JSONTree) -> TransitRealtime_EntitySelector {
        var selector = TransitRealtime_EntitySelector()
        if let id = text(tree, "agencyid") { selector.agencyID = id }
        if let id = text(tree, "routeid") { selector.routeID = id }
        if let id = text(tree, "stopid") { selector.stopID = id }
        if let direction = text(tree, "directionid").flatMap({ UInt32($0) }) {
            selector.directionID = direction
        }
        if let id = text(tree, "tripid") { selector.trip.tripID = id }
        return selector
    }

    /// `{"value": text, "lang": language}`, or nothing.
    private mutating func translated(
        _ tree: JSONTree, _ member: String
    ) -> TransitRealtime_TranslatedString {
        var translated = TransitRealtime_TranslatedString()
        guard let member = tree[member], let value = text(member, "value") else {
            return translated
        }
        var translation = TransitRealtime_TranslatedString.Translation()
        translation.text = value
        if let language = text(member, "lang") { translation.language = language }
        translated.translation = [translation]
        return translated
    }

    // MARK: Members

    private mutating func occupancy(
        _ tree: JSONTree, _ member: String
    ) -> TransitRealtime_VehiclePosition.OccupancyStatus? {
        context.choice(tree[member], member, among: EnumNumbers.occupancy)
            .flatMap(TransitRealtime_VehiclePosition.OccupancyStatus.init)
    }

    /// A text that is not empty.
    private mutating func text(_ tree: JSONTree, _ member: String) -> String? {
        context.text(tree[member], member).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Seconds of milliseconds; nil for 0.
    private mutating func seconds(_ tree: JSONTree, _ member: String) -> Int64? {
        guard let number = context.integer(tree[member], member), number > 0 else { return nil }
        return number / 1000
    }
}

/// The prefix of identifiers such as `1_75403`, in which `1` is the agency.
package enum AgencyPrefix {
    /// The agency and the identifier without it; nil where no agency is named.
    ///
    /// They are separated by the first underscore or, in some feeds, colon: agencies have none in theirs.
    ///
    /// - Complexity: O(length).
    package static func parts(of id: String) -> (agency: Substring, bare: Substring)? {
        let letters = id.utf8
        let separator = letters.firstIndex { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":") }
        guard let separator, separator > letters.startIndex else { return nil }
        let rest = letters.index(after: separator)
        return rest < letters.endIndex ? (id[..<separator], id[rest...]) : nil
    }

    /// The identifier without it; the whole where it has none.
    package static func bare(_ id: String) -> String { parts(of: id).map { String($0.bare) } ?? id }
}
