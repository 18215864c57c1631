// One vehicle of a line as a screen observes it.
public import BridgecastCore
public import Observation

/// A vehicle, which moves along its path between two fixes and never backwards.
@MainActor @Observable public final class VehicleModel: Identifiable {
    /// What it is called in the feed; a second one of that name has a number after it.
    public nonisolated let id: String
    /// As the feed has it and as it was matched: its run, its occupancy, when it was seen.
    public private(set) var vehicle: LiveVehicle
    /// Where it is now; nil if its position on a path is unknown.
    ///
    /// It does not go back on its run, unless its fix shows that it was never where it was shown: more than 150 m ahead.
    public private(set) var moving: MovingVehicle?
    /// Its next stops, at most ``maxStops``; empty if its run is unknown.
    public private(set) var nextStops: [Departure] = []

    /// The maximum number of stops in ``nextStops``.
    public nonisolated static let maxStops = 3

    /// The index in ``TransitSnapshot/vehicles``.
    @ObservationIgnored private(set) var index: Int
    /// All stops of its run.
    @ObservationIgnored private var stops: [Departure] = []

    init(id: String, _ index: Int, in snapshot: TransitSnapshot) {
        self.id = id
        self.index = index
        vehicle = snapshot.vehicles[index]
    }

    /// Where it is: on its path now, else where it was seen; nil if it reports no position.
    public var point: GeoPoint? {
        moving?.place.point ?? vehicle.place?.point ?? vehicle.report.point
    }

    /// The delay at its next stop, seconds, negative if early; nil unless that is predicted.
    public var delaySeconds: Int? { nextStops.first?.delaySeconds }

    /// How it compares with the timetable at its next stop; nil without one.
    public var status: Departure.Status? { nextStops.first?.status }

    /// Takes the vehicle of another snapshot.
    func take(_ index: Int, in snapshot: TransitSnapshot) {
        self.index = index
        let newer = snapshot.vehicles[index]
        // On another run, it is at another place of another path.
        if newer.run != vehicle.run { assign(nil, to: \.moving, of: self) }
        assign(newer, to: \.vehicle, of: self)
        stops = newer.run.map { snapshot.stops(of: $0) } ?? []
    }

    /// Moves it to where it is at a time.
    func update(at now: Timestamp, in snapshot: TransitSnapshot) {
        assign(forward(snapshot.moving(index, at: now)), to: \.moving, of: self)
        let next = stops.lazy.filter { $0.isComing(at: now) }
        assign(Array(next.prefix(Self.maxStops)), to: \.nextStops, of: self)
    }

    /// The next position, or the present one if the next is a little back: time went on after the snapshot was made.
    private func forward(_ next: MovingVehicle?) -> MovingVehicle? {
        guard let next, let shown = moving, !next.place.isOffRoute, !shown.place.isOffRoute,
            next.place.metres < shown.place.metres,
            shown.place.metres - next.place.metres <= LineTrack.offRouteMetres
        else { return next }
        return MovingVehicle(place: shown.place, metresPerSecond: 0, isReckoned: true)
    }
}
