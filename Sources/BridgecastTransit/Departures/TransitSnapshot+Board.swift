// Boards, read from a snapshot.
public import BridgecastCore

extension TransitSnapshot {
    /// The board of a stop, or of a station with all its platforms.
    ///
    /// Runs that have left are gone, however late or early they did; runs that have not are there, however long ago they should
    /// have. Where riders cannot get on, nothing departs; arrivals are shown if the query asks for them.
    ///
    /// Nobody knows that a run has left of which no vehicle is seen: one that by its times has, but has to cross a bridge
    /// first which holds it at the moment, stays at the top of the board.
    ///
    /// - Parameters:
    ///   - moment: The moment to wait from; ``asOf`` unless it is another one.
    ///   - holds: The bridges that may hold runs; nil to ask none.
    /// - Complexity: O(departures within the horizon + runs that are predicted to stop there); while a bridge is up or has a
    ///   queue, also O(departures since it went up).
    public func board(
        of stop: StopIndex, at moment: Timestamp? = nil, _ query: BoardQuery = BoardQuery(),
        holding holds: BridgeHolds? = nil
    ) -> StopBoard {
        let moment = moment ?? asOf
        let seconds = moment.secondsSinceEpoch
        var candidates = BoardCandidates(self, query, from: seconds, holding: holds)
        let stops = places(of: stop)
        for place in stops { candidates.add(place) }
        candidates.addAdded(at: stops)
        let maker = DepartureMaker(
            snapshot: self, moment: seconds, onTimeSeconds: query.onTimeSeconds)
        let departures = candidates.chosen().map { maker.departure($0) }
        return StopBoard(
            stop: stop, asOf: moment, query: query, departures: departures,
            noService: departures.isEmpty ? feed.noService(at: stops, moment) : nil)
    }

    /// A stop and what belongs to it: a station's platforms.
    package func places(of stop: StopIndex) -> [StopIndex] {
        [stop] + feed.children.of(stop).map { StopIndex(Int($0)) }
    }
}
