// Where a vehicle is between two fixes.
public import BridgecastCore

/// A vehicle at a moment after its fix.
public struct MovingVehicle: Sendable, Hashable {
    /// Where it is thought to be: never behind its fix.
    public let place: VehiclePlace
    /// Metres per second that it is thought to go; 0 where it stands.
    public let metresPerSecond: Double
    /// Whether it was moved from its fix: dead reckoning.
    public let isReckoned: Bool

    package init(place: VehiclePlace, metresPerSecond: Double, isReckoned: Bool) {
        (self.place, self.metresPerSecond, self.isReckoned) = (place, metresPerSecond, isReckoned)
    }
}

extension TransitSnapshot {
    /// Where a vehicle of ``vehicles`` is at a moment, by dead reckoning at the speed that its times imply; nil where
    /// its place on a line is not known.
    ///
    /// It stands at each stop until it is predicted to leave, goes no further than predicted, no faster than such
    /// vehicles do, and stays where it is five minutes after its fix. One that is off its route stays where it was
    /// seen.
    /// - Parameters:
    ///   - vehicle: Its place in ``vehicles``.
    ///   - shownMetres: Where it was shown last on the same run: it waits there rather than go back, unless a new fix
    ///     puts it more than 150 m back; nil to reckon from the fix alone.
    public func moving(
        _ vehicle: Int, at moment: Timestamp, notBehind shownMetres: Double? = nil
    ) -> MovingVehicle? {
        guard vehicles.indices.contains(vehicle) else { return nil }
        let live = vehicles[vehicle]
        guard let place = live.place else { return nil }
        guard !place.isOffRoute, let run = live.run, let seenAt = live.seenAt,
            let course = course(of: run)
        else { return MovingVehicle(place: place, metresPerSecond: 0, isReckoned: false) }
        let kind = feed.kind(of: run.trip)
        var (metres, speed) = DeadReckoning(
            course: course, mostMetresPerSecond: kind.mostMetresPerSecond
        ).place(
            from: place.metres, seen: Double(seenAt.secondsSinceEpoch),
            at: Double(moment.secondsSinceEpoch))
        if let shownMetres, metres < shownMetres,
            shownMetres - metres <= LineTrack.offRouteMetres,
            shownMetres <= course.geometry.line.length
        {
            (metres, speed) = (shownMetres, 0)
        }
        guard metres > place.metres else {
            return MovingVehicle(place: place, metresPerSecond: speed, isReckoned: false)
        }
        return MovingVehicle(
            place: place.moved(to: metres, on: course.geometry.line), metresPerSecond: speed,
            isReckoned: true)
    }
}

extension VehiclePlace {
    /// The place so many metres along the line.
    fileprivate func moved(to metres: Double, on line: ShapeLine) -> VehiclePlace {
        VehiclePlace(
            metres: metres, offMetres: offMetres, isOffRoute: false,
            point: line.point(atMetres: metres), heading: line.heading(atMetres: metres))
    }
}
