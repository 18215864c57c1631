// Where the stops of a trip lie on its shape: by the feed's own distances where they are sound, else by nearness in
// order.
internal import BridgecastCore

/// Places stops on lines.
enum StopPlacing {
    /// A stop may lie so far from where the feed's distances put it, metres, before they are not believed.
    static let mostMetresFromDistance = 300.0
    /// More stops times points than this are placed one after the other: what is best for all takes memory.
    static let mostChoices = 16_000_000

    /// Metres along a line by the distances that the feed gives stops and points, in its own unit; nil if they are not
    /// sound: missing, decreasing, beyond the line, or far from where the stops are.
    static func metres(
        on line: ShapeLine, pointDistances: ArraySlice<Float>, stopDistances: ArraySlice<Float>,
        stops: [GeoPoint?]
    ) -> [Double]? {
        guard pointDistances.count == line.metres.count, stopDistances.count == stops.count,
            let first = pointDistances.first, let last = pointDistances.last, last > first,
            isIncreasing(pointDistances), isIncreasing(stopDistances)
        else { return nil }
        // Decimals are cut: the last stop may lie a little beyond the last point.
        let slack = (last - first) / 1000
        var metres: [Double] = []
        for (distance, stop) in zip(stopDistances, stops) {
            guard distance >= first - slack, distance <= last + slack else { return nil }
            let after = min(
                max(
                    pointDistances.partitioningIndex { $0 > distance },
                    pointDistances.startIndex + 1),
                pointDistances.endIndex - 1)
            let (low, high) = (pointDistances[after - 1], pointDistances[after])
            let share = high > low ? min(1, max(0, (distance - low) / (high - low))) : 0
            let place = line.metres(
                atPosition: Double(after - 1 - pointDistances.startIndex) + Double(share))
            if let stop, stop.metres(to: line.point(atMetres: place)) > mostMetresFromDistance {
                return nil
            }
            metres.append(max(place, metres.last ?? 0))
        }
        return metres
    }

    private static func isIncreasing(_ distances: ArraySlice<Float>) -> Bool {
        guard var before = distances.first, before >= 0 else { return false }
        for distance in distances {
            // False for what is not a number, too.
            guard distance >= before else { return false }
            before = distance
        }
        return true
    }

    /// Metres along a line of stops in order: the sum of the squares of their distances from it is the least of all
    /// ways to have them in order.
    ///
    /// Where a line passes a stop more than once and nothing else tells which pass is meant, that is taken which fits
    /// the straight distances between the stops. Stops without a place are put between their neighbours.
    /// - Complexity: O(points x stops).
    static func metres(on line: ShapeLine, stops: [GeoPoint?]) -> [Double] {
        let placed = stops.indices.filter { stops[$0] != nil }
        let points = placed.compactMap { stops[$0] }
        let found =
            points.count * line.metres.count <= mostChoices
            ? best(on: line, points) : oneAfterAnother(on: line, points)
        return filled(Array(zip(placed, found)), count: stops.count)
    }

    private static func best(on line: ShapeLine, _ stops: [GeoPoint]) -> [Double] {
        let pieces = line.metres.count - 1
        let expected = expectedMetres(on: line, stops)
        var costs = [Double](repeating: 0, count: pieces)
        // By stop and piece, the piece of the stop before it on the cheapest way there.
        var origins: [[Int32]] = []
        for (order, stop) in stops.enumerated() {
            let view = PlaneAround(stop, middle: line.longitudes[0])
            var origin = [Int32](repeating: 0, count: pieces)
            var (least, leastPiece) = (Double.infinity, 0)
            for piece in 0..<pieces {
                if costs[piece] < least { (least, leastPiece) = (costs[piece], piece) }
                let (share, off) = view.nearest(on: line, piece)
                let place = line.metres(atPosition: Double(piece) + share)
                let away = place - expected[order]
                origin[piece] = Int32(order == 0 ? piece : leastPiece)
                costs[piece] = (order == 0 ? 0 : least) + off * off + away * away * awayWeight
            }
            origins.append(origin)
        }
        return traced(on: line, stops, costs, origins)
    }

    /// Squared metres away from the straight-line estimate count so little that they only break ties: a kilometre as
    /// much as three metres from the line.
    private static let awayWeight = 1e-5

    private static func traced(
        on line: ShapeLine, _ stops: [GeoPoint], _ costs: [Double], _ origins: [[Int32]]
    ) -> [Double] {
        guard var piece = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return [] }
        var chosen = [Int](repeating: 0, count: stops.count)
        for order in stops.indices.reversed() {
            chosen[order] = piece
            piece = Int(origins[order][piece])
        }
        var metres: [Double] = []
        for (stop, piece) in zip(stops, chosen) {
            let share = PlaneAround(stop, middle: line.longitudes[0]).nearest(on: line, piece).share
            metres.append(max(line.metres(atPosition: Double(piece) + share), metres.last ?? 0))
        }
        return metres
    }

    /// Each stop at the nearest place that is not before the one before it.
    static func oneAfterAnother(on line: ShapeLine, _ stops: [GeoPoint]) -> [Double] {
        var reached = 0.0
        return stops.map { stop in
            reached = line.nearest(to: stop, within: reached...line.length).metres
            return reached
        }
    }

    /// Where stops would lie if the line were as crooked everywhere: by straight distances from stop to stop.
    private static func expectedMetres(on line: ShapeLine, _ stops: [GeoPoint]) -> [Double] {
        var sums = [0.0]
        for (before, after) in zip(stops, stops.dropFirst()) {
            sums.append(sums[sums.count - 1] + before.metres(to: after))
        }
        let whole = sums[sums.count - 1]
        return sums.enumerated().map { order, sum in
            let share = whole > 0 ? sum / whole : Double(order) / Double(max(1, sums.count - 1))
            return share * line.length
        }
    }

    /// Places of all stops from those of some: evenly between them, and as the next one at the ends.
    static func filled(_ known: [(order: Int, metres: Double)], count: Int) -> [Double] {
        guard let first = known.first, let last = known.last else {
            return [Double](repeating: 0, count: count)
        }
        var metres = [Double](repeating: first.metres, count: count)
        for (a, b) in zip(known, known.dropFirst()) {
            for order in a.order..<b.order {
                let share = Double(order - a.order) / Double(b.order - a.order)
                metres[order] = a.metres + share * (b.metres - a.metres)
            }
        }
        for order in last.order..<count { metres[order] = last.metres }
        return metres
    }
}
