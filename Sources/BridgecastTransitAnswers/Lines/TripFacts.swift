// Which trip a run is of, of the timetable or beside it; part of trips and their maps.
internal import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// What a trip is called and where it goes.
package struct TripFacts: Sendable {
    /// Its identifier; empty where a feed gives none to a run beside the timetable.
    package let id: String
    /// The service day; nil where a feed does not say it of a run beside the timetable.
    package let serviceDate: CivilDate?
    /// Whether the timetable has it.
    package let isInTimetable: Bool
    /// Its route; nil if the timetable does not have it.
    package let route: TransitRoute?
    /// Where it goes, and what riders call it; empty if nothing.
    package let headsign, shortName: String
    /// How it relates to the timetable.
    package let relationship: TripRelationship
    /// The line on the map; nil where the feed has none.
    let shape: ShapeIndex?
    private let startTime: String?
    private let direction: Int?
    private let wheelchair: Accessibility

    /// Those of a run of the timetable.
    init(_ run: RunKey, in snapshot: TransitSnapshot) {
        let trip = snapshot.feed[run.trip]
        (id, serviceDate, isInTimetable) = (trip.id, run.date, true)
        route = snapshot.feed[trip.route]
        (headsign, shortName) = (trip.headsign, trip.shortName)
        relationship = snapshot.runs[run]?.relationship ?? .scheduled
        startTime = run.startSeconds.map(ServiceTimeText.text)
        (shape, direction, wheelchair) = (trip.shape, trip.direction, trip.wheelchair)
    }

    /// Those of a run that the timetable does not have, as far as its feed tells.
    init(_ run: AddedRun, in snapshot: TransitSnapshot) {
        let (trip, properties) = (run.update.trip, run.update.properties)
        (id, isInTimetable) = (run.tripID ?? "", false)
        serviceDate = (properties?.startDate ?? trip.startDate).flatMap(Self.date)
        route = run.route.map { snapshot.feed[$0] }
        (headsign, shortName) = (run.headsign, properties?.shortName ?? "")
        relationship = trip.relationship ?? .added
        startTime = properties?.startTime ?? trip.startTime
        (shape, direction, wheelchair) = (nil, trip.direction, .unknown)
    }

    /// A day as feeds write it, such as `20260220`.
    private static func date(_ text: String) -> CivilDate? {
        guard text.utf8.count == 8 else { return nil }
        return TimeText.parseDate(
            "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
    }

    /// Writes them into an object that is open.
    func write(into json: inout JSONWriter) {
        json.field("trip_id", id)
        json.field("service_date", serviceDate.map { "\($0)" })
        json.field("start_time", startTime)
        json.field("relationship", relationship.word)
        json.field("route_id", route?.id)
        json.field("route", route?.title)
        json.field("route_color", route?.webColour)
        json.field("headsign", headsign.isEmpty ? nil : headsign)
        json.field("trip_short_name", shortName.isEmpty ? nil : shortName)
        json.field("direction", direction)
        json.field("wheelchair", wheelchair.word)
    }
}
