// A ride on a run, from one of its stops to a later one: as planned, as expected now, and what bridges may add.
package import BridgecastCore
internal import BridgecastSupport
package import BridgecastTransit

/// What a view of a run says of a ride on it.
package struct RideOutlook: Sendable {
    /// The line's title, else the trip's identifier.
    package let line: String
    /// The names of the stops.
    package let from, to: String
    /// What the timetable has; nil where it has no time there.
    package let plannedDeparture, plannedArrival: Timestamp?
    /// What a feed has; nil where it has none, as of many stops that are passed.
    package let departure, arrival: Timestamp?
    /// The drawbridges between the stops that are still ahead.
    package let bridges: [BridgeIndex]
    /// What they may add to the arrival; nil if there are none, or no forecast reaches so far.
    package let delay: BridgeOutlookAtStop?

    /// - Parameters:
    ///   - boarding: A stop of the document.
    ///   - alighting: A later one.
    package init(
        _ document: TripDocument, from boarding: DepartureEntry, to alighting: DepartureEntry
    ) {
        let first = boarding.departure
        let last = alighting.departure
        line = document.trip.route?.title ?? document.trip.id
        from = boarding.stop.name
        to = alighting.stop.name
        plannedDeparture = first.scheduledDeparture ?? first.scheduledArrival
        plannedArrival = last.scheduledArrival ?? last.scheduledDeparture
        departure = first.predictedDeparture ?? first.predictedArrival
        arrival = last.predictedArrival ?? last.predictedDeparture
        let ahead = document.bridges.filter {
            $0.afterStop >= first.stopOrder && $0.afterStop < last.stopOrder
        }
        bridges = ahead.map(\.bridge)
        delay = ahead.outlook(atStop: last.stopOrder)
    }

    func write(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.field("line", line)
        json.field("from", from)
        json.field("to", to)
        json.field("planned_departure", plannedDeparture, &clock)
        json.field("planned_arrival", plannedArrival, &clock)
        json.field("departure", departure, &clock)
        json.field("arrival", arrival, &clock)
        json.list("bridge_ids", bridges) { $0.value(BridgeCatalogue[$1].id.rawValue) }
        json.field("bridge_delay", delay)
    }
}
