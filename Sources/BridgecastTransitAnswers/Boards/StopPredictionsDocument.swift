// The next arrivals at a stop in short, as JSON: what `GET /stops/{id}/predictions` answers.
package import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit

/// The next arrivals at a stop.
package struct StopPredictionsDocument: Sendable, JSONAnswer {
    private let board: StopBoardDocument

    /// The document of a board.
    package init(_ board: StopBoardDocument) { self.board = board }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(board.envelope.zone)
        json.object { json in
            board.envelope.write(into: &json, &clock)
            json.object("data") { json in
                json.object("stop") { board.stop.writeFields(into: &$0) }
                json.field("valid_until", board.board.validUntil, &clock)
                json.field("no_service", board.board.noService)
                json.list("predictions", board.departures.map(PredictionEntry.init)) {
                    $1.write(to: &$0, &clock)
                }
            }
        }
    }
}

/// An arrival in short: `stop_id`, `arrival_time`, `confidence`, and what makes these clear.
struct PredictionEntry {
    private let entry: DepartureEntry

    init(_ entry: DepartureEntry) { self.entry = entry }

    func write(to json: inout JSONWriter, _ clock: inout MomentText) {
        let departure = entry.departure
        // Nothing is to be waited for where nothing stops.
        let arrival =
            !departure.isServed
            ? nil
            : departure.predictedArrival ?? departure.predictedDeparture
                ?? departure.scheduledArrival ?? departure.scheduledDeparture
        let left = arrival.map { Int($0.secondsSinceEpoch - entry.now.secondsSinceEpoch) }
        json.object { json in
            json.field("stop_id", entry.stop.id)
            // Seconds from now.
            json.field("arrival_time", left)
            json.fields("arrival_at", "arrival_at_epoch_s", arrival, &clock)
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
