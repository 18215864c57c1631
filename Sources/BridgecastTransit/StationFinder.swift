// The stations nearest to a location, the location that an app and its widget share, and why there
// is no board of the nearest station. What departs there is in Departures.
public import BridgecastCore
public import BridgecastSupport
private import Foundation

/// Finds stations and stops by location; made once for a feed.
///
/// Locations are points on a sphere, so the poles and the date line need no special care.
public struct StationFinder: Sendable {
    /// A stop with its distance.
    public struct Found: Sendable, Hashable {
        /// The station, or a stop that belongs to none.
        public let stop: StopIndex
        /// Great-circle distance, metres.
        public let metres: Double
    }

    /// Number of stations and stops that can be found.
    public var count: Int { stops.count }
    /// Stations and stops in the order of their identifiers.
    private let stops: [StopIndex]
    private let points: [GeoPoint]
    /// ``points`` on the unit sphere.
    private let vectors: [SIMD3<Double>]

    /// Distances that differ by less are equal, metres.
    private static let sameMetres = 0.001

    /// Collects a feed's stations and stops; those without a location or a trip are left out.
    ///
    /// A station without a location of its own has that of the first of its stops with one.
    /// - Complexity: O(n log n).
    public init(_ feed: TransitFeed) {
        var ownPoints: [Int32: GeoPoint] = [:]
        var stopPoints: [Int32: GeoPoint] = [:]
        for row in 0..<feed.stops.count where feed.calls.starts[row] < feed.calls.starts[row + 1] {
            let station = feed.station(of: StopIndex(row))
            if let point = feed.stops.point(station) {
                ownPoints[station.number] = point
            } else if let point = feed.stops.point(StopIndex(row)),
                stopPoints[station.number] == nil
            {
                stopPoints[station.number] = point
            }
        }
        let found = ownPoints.merging(stopPoints) { own, _ in own }.map {
            (id: feed.stops.ids[Int($0.key)], row: $0.key, point: $0.value)
        }.sorted { ($0.id, $0.row) < ($1.id, $1.row) }
        stops = found.map { StopIndex(Int($0.row)) }
        points = found.map(\.point)
        vectors = points.map(Self.vector)
    }

    /// The nearest stops, nearest first; equally near ones, to a millimetre, in the order of their identifiers.
    ///
    /// - Parameters:
    ///   - point: Nothing is near to a point that is not on earth.
    ///   - limit: Maximum number of stops.
    ///   - withinMetres: Maximum distance.
    /// - Complexity: O(n), about 0.1 ms for 20,000.
    public func nearest(
        to point: GeoPoint, limit: Int = 1, withinMetres: Double = 50_000
    ) -> [Found] {
        guard limit > 0, withinMetres >= 0, (-90...90).contains(point.latitude),
            (-180...180).contains(point.longitude)
        else { return [] }
        let centre = Self.vector(point)
        let squares = vectors.map { Self.squaredChord(from: $0, to: centre) }
        // The distance of the last one first, then all that are no further, so that equally near ones are among them.
        var reach = Self.squaredChord(ofMetres: withinMetres + Self.sameMetres)
        if let last = Self.smallest(limit, of: squares), last <= reach {
            let metres = Self.metres(ofSquaredChord: last)
            reach = min(reach, Self.squaredChord(ofMetres: metres + 2 * Self.sameMetres))
        }
        return squares.indices.filter { squares[$0] <= reach }.map {
            (row: $0, metres: points[$0].metres(to: point))
        }.filter { $0.metres <= withinMetres }.map {
            (row: $0.row, metres: $0.metres, step: ($0.metres / Self.sameMetres).rounded())
        }.sorted { ($0.step, $0.row) < ($1.step, $1.row) }.prefix(limit).map {
            Found(stop: stops[$0.row], metres: $0.metres)
        }
    }

    /// The `rank`-th smallest value; nil if there are fewer, or if `rank` is so large that sorting all is as good.
    private static func smallest(_ rank: Int, of values: [Double]) -> Double? {
        guard rank <= min(64, values.count) else { return nil }
        var smallest = values[..<rank].sorted()
        for value in values[rank...] where value < smallest[rank - 1] {
            var index = rank - 1
            while index > 0, smallest[index - 1] > value {
                smallest[index] = smallest[index - 1]
                index -= 1
            }
            smallest[index] = value
        }
        return smallest[rank - 1]
    }

    private static func vector(_ point: GeoPoint) -> SIMD3<Double> {
        let latitude = point.latitude * .pi / 180
        let longitude = point.longitude * .pi / 180
        return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    /// The squared distance through the unit sphere, which grows with the distance along it.
    @inline(__always) private static func squaredChord(
        from start: SIMD3<Double>, to end: SIMD3<Double>
    ) -> Double {
        let difference = start - end
        return (difference * difference).sum()
    }

    /// The squared chord of a distance along the earth, at most half its circumference.
    private static func squaredChord(ofMetres metres: Double) -> Double {
        let half = sin(min(metres / (2 * Earth.radiusMetres), .pi / 2))
        return 4 * half * half
    }

    /// The distance along the earth of a squared chord, metres.
    private static func metres(ofSquaredChord square: Double) -> Double {
        2 * Earth.radiusMetres * asin(min(1, square.squareRoot() / 2))
    }
}

// MARK: - Shared location

/// A location with the time at which it was determined; what an app and its widget share, since widgets may read a
/// location and may not ask for one.
public struct CachedLocation: Sendable, Hashable, Codable {
    /// The location.
    public let point: GeoPoint
    /// When it was determined, seconds since 1970.
    public let foundAt: Int64
    /// Identifier of the station chosen there; nil to take the nearest.
    public let stationID: String?

    /// Creates a location that was determined at a time.
    public init(point: GeoPoint, foundAt: Timestamp, stationID: String? = nil) {
        self.point = point
        self.foundAt = foundAt.secondsSinceEpoch
        self.stationID = stationID
    }

    /// Seconds for which a location is valid, both ends included.
    private static let maxAgeSeconds = 1800
    /// Seconds that a location may be ahead of the clock, since clocks differ.
    private static let maxLeadSeconds = 60

    /// Why the location is not valid at a time; nil if it is.
    package func problem(at now: Timestamp) -> StationProblem? {
        let (age, overflow) = now.secondsSinceEpoch.subtractingReportingOverflow(foundAt)
        guard !overflow, age >= -Self.maxLeadSeconds, age <= Self.maxAgeSeconds else {
            return .cacheStale(ageSeconds: overflow ? -1 : Int(age))
        }
        return nil
    }
}

// MARK: - Problems

/// A reason why there is no board of the nearest station.
public enum StationProblem: Failure, Equatable {
    /// The location is unknown.
    case noLocation
    /// The location is too old, or from the future: its age in seconds.
    case cacheStale(ageSeconds: Int)
    /// No station within some metres.
    case noStation(withinMetres: Double)
    /// Nothing departs from the station; the reason, if the timetable has one.
    case noData(reason: String?)
    /// The realtime feed is unavailable; why.
    case apiError(String)

    /// Its name in replies, such as `cacheStale`.
    public var code: String {
        switch self {
        case .noLocation: "noLocation"
        case .cacheStale: "cacheStale"
        case .noStation: "noStation"
        case .noData: "noData"
        case .apiError: "apiError"
        }
    }

    /// Decides exit codes and statuses.
    public var kind: FailureKind {
        switch self {
        case .noLocation, .cacheStale: .usage
        case .noStation, .noData: .missing
        case .apiError: .unavailable
        }
    }

    /// What is wrong.
    public var description: String {
        switch self {
        case .noLocation: "your location is unknown"
        case .cacheStale(let age) where age < 0: "your location has a time in the future"
        case .cacheStale(let age): "your location is \(age / 60) min old; you may have moved since"
        case .noStation(let metres): "this timetable has no station within \(Self.distance(metres))"
        case .noData(let reason):
            "no departures there" + (reason.map { ": " + printable($0, maxLength: 200) } ?? "")
        case .apiError(let problem):
            "the realtime feed is unavailable: " + printable(problem, maxLength: 200)
        }
    }

    /// What to do about it.
    public var recovery: String {
        switch self {
        case .noLocation: "share your location with the app, or choose a station"
        case .cacheStale: "open the app so that it finds your location, or choose a station"
        case .noStation: "increase the distance, or choose a station"
        case .noData: "try again later, or choose another station"
        case .apiError: "the timetable is still valid; try again in a minute"
        }
    }

    private static func distance(_ metres: Double) -> String {
        guard (0..<1e9).contains(metres) else { return "reach" }
        return metres < 1000 ? "\(Int(metres)) m" : "\(Int((metres / 1000).rounded(.up))) km"
    }
}
