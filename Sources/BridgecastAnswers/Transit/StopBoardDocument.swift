// The departures of a stop as JSON: its board now, boards over the next hours, the next arrivals in short, and the
// stops nearest to a point.
package import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

/// A departures board with names and bridges.
package struct StopBoardDocument: Sendable, JSONAnswer {
    package var envelope: TransitEnvelope
    package let stop: StopEntry
    package let board: StopBoard
    package let departures: [DepartureEntry]
    /// What its directions are called, where each has a part of the board.
    package let directionNames: [Int: String]
    /// What riders should know of the stop and the routes on the board.
    package let alerts: [AlertEntry]

    /// - Parameters:
    ///   - snapshot: What the board was made from.
    ///   - bridges: Forecasts of drawbridges; nil to leave them out.
    ///   - metres: Distance from the point that was asked for; nil without one.
    package init(
        _ board: StopBoard, _ snapshot: TransitSnapshot, envelope: TransitEnvelope,
        bridges: TransitBridges? = nil, metres: Double? = nil
    ) {
        self.board = board
        self.envelope = envelope
        stop = StopEntry(board.stop, in: snapshot.feed, metres: metres)
        departures = board.departures.map { departure in
            let ahead = bridges?.ahead(of: departure.run, in: snapshot, at: board.asOf) ?? []
            return DepartureEntry(departure, snapshot, at: board.asOf, ahead: ahead)
        }
        directionNames =
            board.query.limitPerDirection == nil
            ? [:]
            : [0, 1].reduce(into: [:]) { $0[$1] = snapshot.feed.directionName($1, at: board.stop) }
        alerts = AlertEntry.active(
            in: snapshot, at: board.asOf,
            stops: snapshot.platforms(of: board.stop) + board.departures.map(\.stop),
            routes: Set(board.departures.compactMap(\.route)),
            trips: Set(board.departures.map(\.tripID)))
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { writeData(into: &$0, &$1) }
    }

    func writeData(into json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.field("stop", stop)
        json.field("as_of", board.asOf, &clock)
        json.field("valid_until", board.validUntil, &clock)
        json.field("no_service", board.noService)
        if board.query.limitPerDirection != nil {
            json.list("directions", objects: directionNames.sorted { $0.key < $1.key }) {
                json, direction in
                json.field("direction", direction.key)
                json.field("name", direction.value)
            }
        }
        json.list("departures", departures) { $1.write(to: &$0, &clock) }
        json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
    }
}

package struct StopTimelineDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    /// The boards, the earliest first; all of one stop.
    package let entries: [StopBoardDocument]
    /// Until when the last entry may be shown.
    package let validUntil: Timestamp

    /// A document of boards of one stop.
    ///
    /// - Parameters:
    ///   - boards: At least one, from the earliest time to the latest.
    ///   - validUntil: Until when the last one may be shown.
    package init(
        _ boards: [StopBoard], validUntil: Timestamp, _ snapshot: TransitSnapshot,
        envelope: TransitEnvelope, bridges: TransitBridges? = nil
    ) {
        self.envelope = envelope
        self.validUntil = validUntil
        entries = boards.map {
            StopBoardDocument($0, snapshot, envelope: envelope, bridges: bridges)
        }
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            if let stop = entries.first?.stop { json.field("stop", stop) }
            json.field("valid_until", validUntil, &clock)
            json.list("alerts", entries.first?.alerts ?? []) { $1.write(to: &$0, &clock) }
            json.list("entries", objects: entries.indices) { json, index in
                let entry = entries[index]
                let end = index + 1 < entries.count ? entries[index + 1].board.asOf : validUntil
                json.fields("date", entry.board.asOf, &clock)
                json.field("valid_until", end, &clock)
                json.field("no_service", entry.board.noService)
                json.list("departures", entry.departures) {
                    $1.write(to: &$0, &clock, includesReasons: false)
                }
            }
        }
    }
}

package struct StopPredictionsDocument: Sendable, JSONAnswer {
    private let board: StopBoardDocument

    package init(_ board: StopBoardDocument) { self.board = board }

    package func write(to json: inout JSONWriter) {
        board.envelope.writeDocument(to: &json) { json, clock in
            json.field("stop", board.stop)
            json.field("valid_until", board.board.validUntil, &clock)
            json.field("no_service", board.board.noService)
            json.list("predictions", board.departures) {
                PredictionEntry(entry: $1).write(to: &$0, &clock)
            }
        }
    }
}

/// An arrival in short: `stop_id`, `arrival_time`, `confidence`, and what makes these clear.
struct PredictionEntry {
    let entry: DepartureEntry

    func write(to json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        let departure = entry.departure
        // Nothing is to be waited for where nothing stops.
        let arrival =
            !departure.isServed
            ? nil
            : departure.predictedArrival ?? departure.predictedDeparture ?? departure
                .scheduledArrival ?? departure.scheduledDeparture
        let left = arrival.map { Int($0.secondsSinceEpoch - entry.now.secondsSinceEpoch) }
        json.object { json in
            json.field("stop_id", entry.stop.id)
            // Seconds from now.
            json.field("arrival_time", left)
            json.fields("arrival_at", arrival, &clock)
            json.field("countdown", left.map { Countdown.text(seconds: $0) })
            json.field("predicted", departure.origin != nil)
            json.field("confidence", departure.confidence.rawValue)
            json.field("confidence_color", departure.confidence.colourName)
            json.field("status", departure.status.rawValue)
            json.field("delay_s", departure.delaySeconds)
            json.field("route_id", entry.route?.id)
            json.field("route", entry.route?.title)
            json.field("headsign", departure.headsign.isEmpty ? nil : departure.headsign)
            json.field("trip_id", departure.tripID)
            json.field("direction", departure.direction)
            json.field("vehicle_id", entry.vehicle?.shownID)
            json.occupancy(departure.occupancy, departure.occupancyPercentage)
            json.field("bridge_delay", entry.outlook)
        }
    }
}

package struct NearestDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    package let stops: [StopEntry]
    /// The board of the nearest one; nil where it was not asked for or there is none.
    package let board: StopBoardDocument?

    package init(
        _ found: [StationFinder.Found], in feed: TransitFeed, envelope: TransitEnvelope,
        board: StopBoardDocument? = nil
    ) {
        self.envelope = envelope
        self.board = board
        stops = found.map { StopEntry($0.stop, in: feed, metres: $0.metres) }
    }

    /// The point that was asked for is not written.
    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, clock in
            json.list("stops", stops)
            if let board { json.object("board") { board.writeData(into: &$0, &clock) } }
        }
    }
}
