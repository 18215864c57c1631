// The paths that the trips of a line take, one for each sequence of stops.
internal import BridgecastCore

/// A path of a line: the trips of a direction that call at the same stops along the same shape.
public struct LinePath: Sendable, Identifiable {
    /// Its number among the paths of the line, from 0.
    public let id: Int
    /// 0 or 1, as the feed has it; nil where it has none.
    public let direction: Int?
    /// The stops in order.
    public let stops: [StopIndex]
    /// The line in metres and the stops along it; nil where it has neither a shape nor two stops at different locations.
    public let geometry: RunGeometry?
    /// How many trips of the timetable take it.
    public let trips: Int
}

extension TransitFeed {
    /// The paths of a line, by direction, the one of the most trips first; those without a direction are last.
    ///
    /// - Complexity: O(trips of the feed + stop times of the line), at first also as ``geometry(of:)`` for each path.
    public func paths(of route: RouteIndex) -> [LinePath] {
        var found: [PathKey: (first: TripIndex, trips: Int)] = [:]
        for row in 0..<trips.count where trips.routes[row] == route.number {
            let trip = TripIndex(row)
            let key = PathKey(
                direction: trips.directions[row], shape: trips.shapes[row],
                stops: Array(stopTimes.stops[stopTimes.rows(of: trip)]))
            found[key, default: (trip, 0)].trips += 1
        }
        return found.sorted { PathKey.isBefore(($0.key, $0.value), ($1.key, $1.value)) }
            .enumerated().map { number, path in
                LinePath(
                    id: number,
                    direction: path.key.direction < 0 ? nil : Int(path.key.direction),
                    stops: path.key.stops.map { StopIndex(Int($0)) },
                    geometry: geometry(of: path.value.first), trips: path.value.trips)
            }
    }
}

/// What the trips of a path have in common.
private struct PathKey: Hashable {
    /// 0, 1, or -1.
    let direction: Int8
    /// A row, or ``FeedIndex/none``.
    let shape: Int32
    let stops: [Int32]

    typealias Path = (key: PathKey, value: (first: TripIndex, trips: Int))

    /// Orders by direction, then the path of more trips, then by the first trip.
    static func isBefore(_ lhs: Path, _ rhs: Path) -> Bool {
        let left = (lhs.key.direction < 0 ? 2 : lhs.key.direction, -lhs.value.trips)
        let right = (rhs.key.direction < 0 ? 2 : rhs.key.direction, -rhs.value.trips)
        return left != right ? left < right : lhs.value.first < rhs.value.first
    }
}
