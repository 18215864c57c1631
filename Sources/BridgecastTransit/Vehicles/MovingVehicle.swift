// The position of a vehicle between two fixes: dead reckoning.
public import BridgecastCore

/// A vehicle at a time after its fix.
public struct MovingVehicle: Sendable, Hashable {
    /// Estimated position: never behind its fix or its previous estimate.
    public let place: VehicleLocation
    /// Estimated speed, metres per second; 0 if it is standing.
    public let metresPerSecond: Double
    /// Whether the position differs from its fix.
    public let isReckoned: Bool
}

extension TransitSnapshot {
    /// The estimated position of a vehicle at a time, by dead reckoning at the speed implied by its times; nil if its
    /// position on a line is unknown.
    ///
    /// It waits at each stop for its predicted departure, goes no further than predicted, no faster than such vehicles can,
    /// and stops five minutes after its fix. A vehicle off its route stays at its fix. Where the previous snapshot had it
    /// further ahead on its run, it is held there instead of going back: always while its fix is the same, and after a newer
    /// fix unless by that it is more than 150 m behind.
    /// - Parameter vehicle: Index in ``vehicles``.
    public func moving(_ vehicle: Int, at time: Timestamp) -> MovingVehicle? {
        guard vehicles.indices.contains(vehicle) else { return nil }
        return moving(vehicle, at: time, on: vehicles[vehicle].run.flatMap { course(of: $0) })
    }

    /// The same on the course of its run, for callers that have it.
    ///
    /// - Precondition: An index in ``vehicles``.
    package func moving(
        _ vehicle: Int, at time: Timestamp, on course: RunCourse?
    ) -> MovingVehicle? {
        vehicles[vehicle].moving(at: time, on: course, in: feed)
    }
}

extension LiveVehicle {
    /// Its estimated position at a time, not behind ``shownMetres``; nil if its position on a line is unknown.
    fileprivate func moving(
        at time: Timestamp, on course: RunCourse?, in feed: TransitFeed
    ) -> MovingVehicle? {
        guard let place else { return nil }
        let shown = shownMetres ?? -.infinity
        guard !place.isOffRoute, let run, let course else {
            // It is shown at its fix; the way that it has come is not taken back.
            var place = place
            place.metres = max(place.metres, shown)
            return MovingVehicle(place: place, metresPerSecond: 0, isReckoned: false)
        }
        var (metres, speed) = (place.metres, 0.0)
        if let seenAt {
            let reckoning = DeadReckoning(
                course: course, maxMetresPerSecond: feed.kind(of: run.trip).maxMetresPerSecond)
            (metres, speed) = reckoning.position(
                from: place.metres, seen: Double(seenAt.secondsSinceEpoch),
                at: Double(time.secondsSinceEpoch))
        }
        if metres < shown { (metres, speed) = (shown, 0) }
        guard metres > place.metres else {
            return MovingVehicle(place: place, metresPerSecond: speed, isReckoned: false)
        }
        return MovingVehicle(
            place: place.moved(to: metres, on: course.geometry.line), metresPerSecond: speed,
            isReckoned: true)
    }
}

extension RealtimeMerge {
    /// Records how far vehicles were shown on their runs before this snapshot, and which are held up; O(vehicles + stops of
    /// their trips).
    mutating func continuePositions(from previous: TransitSnapshot?) {
        let isOlder = previous.map { $0.asOf <= asOf } ?? false
        let known = Dictionary(
            (isOlder ? previous?.vehicles ?? [] : []).enumerated().map { ($1.trackingName, $0) },
            uniquingKeysWith: { first, _ in first })
        for index in result.vehicles.indices where result.vehicles[index].place != nil {
            let vehicle = result.vehicles[index]
            guard let run = vehicle.run, let course = course(of: run) else { continue }
            result.vehicles[index].isHeld = isHeld(vehicle, on: course)
            guard let previous, let number = known[vehicle.trackingName],
                previous.vehicles[number].run == run,
                let shown = previous.moving(number, at: asOf)?.place.metres
            else { continue }
            let before = previous.vehicles[number]
            let isSameFix = before.seenAt == vehicle.seenAt
            let metres = vehicle.moving(at: asOf, on: course, in: feed)?.place.metres ?? shown
            if metres >= shown {
                // It is held no longer, or will be as before: unchanged, it is no news to observers.
                result.vehicles[index].shownMetres = isSameFix ? before.shownMetres : nil
            } else if isSameFix || shown - metres <= LineTrack.offRouteMetres {
                result.vehicles[index].shownMetres = shown
            }
        }
    }

    /// Whether a vehicle has not moved for two minutes although it should have: it waits neither at a stop for its departure
    /// nor for its trip to begin, and has not ended it.
    private func isHeld(_ vehicle: LiveVehicle, on course: RunCourse) -> Bool {
        guard let seenAt = vehicle.seenAt, let since = vehicle.stillSince,
            let place = vehicle.place,
            !place.isOffRoute,
            seenAt.secondsSinceEpoch - since.secondsSinceEpoch >= LiveVehicle.heldSeconds
        else { return false }
        return !course.waits(
            atMetres: place.metres, at: Double(seenAt.secondsSinceEpoch))
    }
}

extension RunCourse {
    /// Whether a vehicle that does not move at a position and time is where it should be: at a stop that it has not to leave
    /// yet, by the first stop before its trip begins, or at the last one.
    fileprivate func waits(atMetres metres: Double, at seconds: Double) -> Bool {
        let stops = geometry.stopMetres
        let near = TransitFeed.atStopMetres
        if metres >= stops[stops.count - 1] - near { return true }
        if metres <= stops[0] + TransitFeed.beginningMetres, seconds <= departures[0] {
            return true
        }
        return stops.indices.contains {
            abs(stops[$0] - metres) <= near && seconds <= departures[$0]
        }
    }
}

extension LiveVehicle {
    /// Its own identifier, or its entity's.
    var trackingName: String {
        guard let id = report.vehicle?.id, !id.isEmpty else { return entityID }
        return id
    }
}

extension VehicleLocation {
    /// The position at a distance along the line.
    fileprivate func moved(to metres: Double, on line: ShapeLine) -> VehicleLocation {
        VehicleLocation(
            metres: metres, offMetres: offMetres, isOffRoute: false,
            point: line.point(atMetres: metres), heading: line.heading(atMetres: metres))
    }
}

// MARK: - Dead reckoning

struct DeadReckoning {
    /// Seconds after its fix for which it is moved.
    static let maxSeconds = 300.0

    let course: RunCourse
    let maxMetresPerSecond: Double

    /// Its position and speed at a time.
    ///
    /// It reaches each stop at its predicted arrival and waits for the departure, never faster than
    /// `maxMetresPerSecond`. If it is late at its next stop, it goes at the speed of the timetable.
    /// - Parameters:
    ///   - metres: Position of its fix along the line.
    ///   - seen: Time of its fix, seconds since 1970.
    /// - Complexity: O(log stops + stops passed).
    func position(
        from metres: Double, seen: Double, at target: Double
    ) -> (metres: Double, metresPerSecond: Double) {
        let stops = course.geometry.stopMetres
        let end = min(target, seen + Self.maxSeconds)
        var position = metres
        var time = seen
        var next = stops.partitioningIndex { $0 > metres + 1 }
        let waits = next == 1 && seen < course.departures[0] ? TransitFeed.beginningMetres : 0
        if next > 0, metres - stops[next - 1] <= max(waits, TransitFeed.atStopMetres) {
            // At a stop, or near the first one: it waits for its departure.
            time = max(time, course.departures[next - 1])
        }
        while time < end, next < stops.count {
            let arrival = arrival(atStop: next, from: position, leaving: time)
            if end < arrival {
                let speed = (stops[next] - position) / (arrival - time)
                return (position + speed * (end - time), target > end ? 0 : speed)
            }
            position = stops[next]
            time = max(arrival, course.departures[next])
            next += 1
        }
        return (position, 0)
    }

    private func arrival(atStop next: Int, from position: Double, leaving time: Double) -> Double {
        let stops = course.geometry.stopMetres
        let ahead = stops[next] - position
        let soonest = time + ahead / maxMetresPerSecond
        guard next > 0, stops[next] > stops[next - 1] else {
            return max(soonest, course.arrivals[next])
        }
        let planned = max(0, course.arrivals[next] - course.departures[next - 1])
        let asPlanned = time + planned * ahead / (stops[next] - stops[next - 1])
        let isLate = course.arrivals[next] <= time || position == stops[next - 1]
        return max(soonest, course.arrivals[next], isLate ? asPlanned : 0)
    }
}
