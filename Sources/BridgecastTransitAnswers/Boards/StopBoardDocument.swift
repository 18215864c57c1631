// The board of a stop as JSON: what `board --format json` and `GET /stops/{id}/board` answer.
// Belongs here: what leaves a stop; not: a line or a trip (Lines).
package import BridgecastAnswers
internal import BridgecastCore
package import BridgecastTransit

/// A departures board with names, words and bridges.
package struct StopBoardDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package var envelope: TransitEnvelope
    /// The stop or station.
    package let stop: StopEntry
    /// As it was asked for.
    package let board: StopBoard
    /// Its departures, in the board's order.
    package let departures: [DepartureEntry]
    /// What its directions are called, where each has a part of the board.
    package let directionNames: [Int: String]
    /// What riders should know of the stop and the routes on the board.
    package let alerts: [AlertEntry]

    /// A document of a board.
    ///
    /// - Parameters:
    ///   - snapshot: What the board was made from.
    ///   - bridges: Forecasts of drawbridges; nil to say nothing of them.
    ///   - metres: How far away the stop is from where somebody asks; nil where nobody does.
    package init(
        _ board: StopBoard, _ snapshot: TransitSnapshot, _ envelope: TransitEnvelope,
        bridges: TransitBridges? = nil, metres: Double? = nil
    ) {
        (self.board, self.envelope) = (board, envelope)
        stop = StopEntry(board.stop, in: snapshot.feed, metres: metres)
        departures = board.departures.map { departure in
            let ahead = bridges?.ahead(of: departure.run, in: snapshot, at: board.asOf) ?? []
            return DepartureEntry(departure, snapshot, at: board.asOf, ahead: ahead)
        }
        directionNames =
            board.query.limitPerDirection == nil
            ? [:]
            : [0, 1].reduce(into: [:]) {
                $0[$1] = snapshot.feed.directionName($1, at: board.stop)
            }
        alerts = AlertEntry.active(
            in: snapshot, at: board.asOf,
            stops: snapshot.places(of: board.stop) + board.departures.map(\.stop),
            routes: Set(board.departures.compactMap(\.route)),
            trips: Set(board.departures.map(\.tripID)))
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { writeData(into: &$0, &clock) }
        }
    }

    /// Writes the board itself into an object that is open.
    func writeData(into json: inout JSONWriter, _ clock: inout MomentText) {
        json.object("stop") { stop.writeFields(into: &$0) }
        json.field("as_of", board.asOf, &clock)
        json.field("valid_until", board.validUntil, &clock)
        json.field("no_service", board.noService)
        if board.query.limitPerDirection != nil {
            json.list("directions", directionNames.sorted { $0.key < $1.key }) { json, direction in
                json.object { json in
                    json.field("direction", direction.key)
                    json.field("name", direction.value)
                }
            }
        }
        json.list("departures", departures) { $1.write(to: &$0, &clock) }
        json.list("alerts", alerts) { $1.write(to: &$0, &clock) }
    }
}
