// The stations nearest to somewhere, as JSON: what `GET /stops/nearest` answers; with the board of the first one.
package import BridgecastAnswers
package import BridgecastTransit

/// Stations near a place.
package struct NearestDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: TransitEnvelope
    /// The stations, the nearest first.
    package let stops: [StopEntry]
    /// The board of the nearest one; nil where it was not asked for or there is none.
    package let board: StopBoardDocument?

    /// A document of what was found.
    package init(
        _ found: [StationFinder.Found], in feed: TransitFeed, _ envelope: TransitEnvelope,
        board: StopBoardDocument? = nil
    ) {
        (self.envelope, self.board) = (envelope, board)
        stops = found.map { StopEntry($0.stop, in: feed, metres: $0.metres) }
    }

    /// Writes it as an object; where somebody is does not stand in it.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(envelope.zone)
        json.object { json in
            envelope.write(into: &json, &clock)
            json.object("data") { json in
                json.list("stops", stops) { $1.write(to: &$0) }
                if let board { json.object("board") { board.writeData(into: &$0, &clock) } }
            }
        }
    }
}
