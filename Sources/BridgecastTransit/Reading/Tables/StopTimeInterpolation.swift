// Times between timepoints, where a feed gives none: as far along in time as along the way. Used by StopTimeChecks.
internal import BridgecastCore

/// Fills in times by distance.
struct StopTimeInterpolation {
    private let stops: StopTable

    init(_ stops: StopTable) { self.stops = stops }

    /// Fills in the times of the rows between two that have them: by shape_dist_traveled where all give it, else from
    /// stop to stop by great circles, else evenly; rounded to the second.
    func fill(_ range: ClosedRange<Int>, _ rows: inout StopTimeRows) {
        let places = Array(range)
        let way = given(places, rows) ?? direct(places, rows)
        let (first, last) = (range.lowerBound, range.upperBound)
        let (start, end) = (Double(rows.departures[first]), Double(rows.arrivals[last]))
        for (step, place) in places.enumerated().dropFirst().dropLast() {
            let share = way.map { ($0[step] - $0[0]) / ($0[places.count - 1] - $0[0]) }
            let seconds = start + (end - start) * (share ?? Double(step) / Double(places.count - 1))
            rows.arrivals[place] = Int32(seconds.rounded())
            rows.departures[place] = rows.arrivals[place]
        }
    }

    /// The distances that the feed gives; nil if one is missing or there is no way between first and last.
    private func given(_ places: [Int], _ rows: StopTimeRows) -> [Double]? {
        guard !rows.distances.isEmpty else { return nil }
        let way = places.map { Double(rows.distances[$0]) }
        guard way.allSatisfy({ !$0.isNaN }), let first = way.first, let last = way.last,
            last > first
        else { return nil }
        return way
    }

    /// Metres from stop to stop; nil if one is without a place or there is no way between first and last.
    private func direct(_ places: [Int], _ rows: StopTimeRows) -> [Double]? {
        var (way, before) = ([Double](), GeoPoint?.none)
        for place in places {
            guard let point = stops.point(StopIndex(Int(rows.stops[place]))) else { return nil }
            way.append((way.last ?? 0) + (before?.metres(to: point) ?? 0))
            before = point
        }
        return (way.last ?? 0) > 0 ? way : nil
    }
}
