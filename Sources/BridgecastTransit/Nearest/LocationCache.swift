// Where one was last, for half an hour: widgets may read a place, and may not ask for one.
public import BridgecastCore
private import Synchronization

/// A place with the moment at which it was found; what an app and its widget share.
public struct CachedLocation: Sendable, Hashable, Codable {
    /// Where one was.
    public let point: GeoPoint
    /// When, seconds since 1970.
    public let foundAt: Int64
    /// The station chosen there, by its identifier; nil to take the nearest.
    public let stationID: String?

    /// Notes a place.
    public init(point: GeoPoint, foundAt: Timestamp, stationID: String? = nil) {
        (self.point, self.foundAt) = (point, foundAt.secondsSinceEpoch)
        self.stationID = stationID
    }

    /// Why the place is not to be believed at a moment; nil if it is.
    ///
    /// One that was noted up to a minute ahead of the clock is new: clocks differ; further ahead it is not believed.
    /// - Parameter mostSeconds: For how long a place is believed, both ends included.
    package func problem(
        at now: Timestamp, mostSeconds: Int = LocationCache.usualSeconds
    ) -> StationProblem? {
        let (age, overflow) = now.secondsSinceEpoch.subtractingReportingOverflow(foundAt)
        guard !overflow, age >= -60, age <= mostSeconds else {
            return .cacheStale(ageSeconds: overflow ? -1 : Int(age))
        }
        return nil
    }
}

/// Keeps the last place, and believes it for half an hour.
public final class LocationCache: Sendable {
    /// Seconds for which a place is believed unless something else is said.
    public static let usualSeconds = 1800

    private let clock: any WallClock
    private let mostSeconds: Int
    private let last: Mutex<CachedLocation?>

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - clock: What tells how old the place is.
    ///   - mostSeconds: For how long a place is believed, both ends included.
    ///   - last: A place kept from before.
    public init(
        clock: any WallClock = SystemWallClock(), mostSeconds: Int = usualSeconds,
        last: CachedLocation? = nil
    ) {
        (self.clock, self.mostSeconds) = (clock, max(0, mostSeconds))
        self.last = Mutex(last)
    }

    /// Notes where one is now; returns what to keep for the next start.
    @discardableResult
    public func note(_ point: GeoPoint, stationID: String? = nil) -> CachedLocation {
        let location = CachedLocation(point: point, foundAt: clock.now, stationID: stationID)
        last.withLock { $0 = location }
        return location
    }

    /// Forgets the place.
    public func forget() { last.withLock { $0 = nil } }

    /// The place, if it still is to be believed.
    ///
    /// A place that was noted more than a minute ahead of the clock is not believed either.
    /// - Throws: ``StationProblem/noLocation``, ``StationProblem/cacheStale(ageSeconds:)``
    public func location() throws(StationProblem) -> CachedLocation {
        guard let location = last.withLock({ $0 }) else { throw .noLocation }
        if let problem = location.problem(at: clock.now, mostSeconds: mostSeconds) { throw problem }
        return location
    }

    /// The station for the place: the one chosen there if the timetable has it, else the nearest.
    ///
    /// - Throws: ``StationProblem/noLocation``, ``StationProblem/cacheStale(ageSeconds:)``,
    ///   ``StationProblem/noStation(withinMetres:)``
    public func station(
        in feed: TransitFeed, _ finder: StationFinder, withinMetres: Double = 50_000
    ) throws(StationProblem) -> StopIndex {
        let location = try location()
        if let chosen = location.stationID.flatMap({ feed.stop($0) }) { return chosen }
        guard let found = finder.nearest(to: location.point, withinMetres: withinMetres).first
        else {
            throw .noStation(withinMetres: withinMetres)
        }
        return found.stop
    }
}
