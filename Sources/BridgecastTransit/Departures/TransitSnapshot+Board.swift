// Boards, read from a snapshot.
public import BridgecastCore

extension TransitSnapshot {
    /// The board of a stop, or of a station with all its platforms.
    ///
    /// Runs that have left are gone, however late or early they did; runs that have not are there, however long ago they should
    /// have. Where riders cannot get on, nothing departs; arrivals are shown if the query asks for them.
    ///
    /// - Parameter moment: The moment to wait from; ``asOf`` unless it is another one.
    /// - Complexity: O(departures within the horizon + runs that are predicted to stop there).
    public func board(
        of stop: StopIndex, at moment: Timestamp? = nil, _ query: BoardQuery = BoardQuery()
    ) -> StopBoard {
        let moment = moment ?? asOf
        let seconds = moment.secondsSinceEpoch
        var candidates = BoardCandidates(self, query, from: seconds)
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

    /// A stop and what belongs to it.
    private func places(of stop: StopIndex) -> [StopIndex] {
        [stop] + feed.children.of(stop).map { StopIndex(Int($0)) }
    }
}
