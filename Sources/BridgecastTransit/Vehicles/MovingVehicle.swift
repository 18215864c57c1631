// Where a vehicle is between two fixes.
public import BridgecastCore

/// A vehicle at a moment after its fix.
public struct MovingVehicle: Sendable, Hashable {
    /// Where it is thought to be: never behind its fix, nor where it was shown before.
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
    /// seen. Where the snapshot before had it farther on, it waits there rather than go back, unless its fix puts it more
    /// than 150 m back.
    /// - Parameter vehicle: Its place in ``vehicles``.
    public func moving(_ vehicle: Int, at moment: Timestamp) -> MovingVehicle? {
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
        if let shownMetres = live.shownMetres, metres < shownMetres {
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

extension [LiveVehicle] {
    /// Notes how far vehicles were shown on their runs when newer fixes came; O(vehicles + stops of their trips).
    mutating func goOn(from previous: TransitSnapshot, at moment: Timestamp) {
        guard previous.asOf <= moment, !previous.vehicles.isEmpty else { return }
        let known = Dictionary(
            previous.vehicles.enumerated().map { ($1.trackingName, $0) },
            uniquingKeysWith: { first, _ in first })
        for place in indices where self[place].place != nil {
            guard let number = known[self[place].trackingName] else { continue }
            let before = previous.vehicles[number]
            guard before.run == self[place].run else { continue }
            self[place].shownMetres =
                before.seenAt == self[place].seenAt
                ? before.shownMetres : self[place].shown(number, in: previous, at: moment)
        }
    }
}

extension LiveVehicle {
    /// Metres where it was shown before at a moment; nil where its fix leaves no doubt that it was not there.
    fileprivate func shown(
        _ number: Int, in previous: TransitSnapshot, at moment: Timestamp
    ) -> Double? {
        guard let place, let then = previous.moving(number, at: seenAt ?? moment),
            then.place.metres - place.metres <= LineTrack.offRouteMetres
        else { return nil }
        return previous.moving(number, at: moment)?.place.metres
    }

    /// What tells it from others: its own identifier, or its entity's.
    var trackingName: String {
        guard let id = report.vehicle?.id, !id.isEmpty else { return entityID }
        return id
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
