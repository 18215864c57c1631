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
    /// and stops five minutes after its fix. A vehicle off its route stays at its fix. If the previous snapshot had it
    /// further ahead, it waits there instead of going back, unless its fix is more than 150 m behind.
    /// - Parameter vehicle: Index in ``vehicles``.
    public func moving(_ vehicle: Int, at time: Timestamp) -> MovingVehicle? {
        guard vehicles.indices.contains(vehicle) else { return nil }
        let live = vehicles[vehicle]
        guard let place = live.place else { return nil }
        guard !place.isOffRoute, let run = live.run, let seenAt = live.seenAt,
            let course = course(of: run)
        else { return MovingVehicle(place: place, metresPerSecond: 0, isReckoned: false) }
        let kind = feed.kind(of: run.trip)
        var (metres, speed) = DeadReckoning(
            course: course, maxMetresPerSecond: kind.maxMetresPerSecond
        ).position(
            from: place.metres, seen: Double(seenAt.secondsSinceEpoch),
            at: Double(time.secondsSinceEpoch))
        if let shownMetres = live.shownMetres, metres < shownMetres {
            metres = shownMetres
            speed = 0
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
    /// Records how far vehicles were shown on their runs before newer fixes; O(vehicles + stops of their trips).
    mutating func continuePositions(from previous: TransitSnapshot, at time: Timestamp) {
        guard previous.asOf <= time, !previous.vehicles.isEmpty else { return }
        let known = Dictionary(
            previous.vehicles.enumerated().map { ($1.trackingName, $0) },
            uniquingKeysWith: { first, _ in first })
        for index in indices where self[index].place != nil {
            guard let number = known[self[index].trackingName] else { continue }
            let before = previous.vehicles[number]
            guard before.run == self[index].run else { continue }
            self[index].shownMetres =
                before.seenAt == self[index].seenAt
                ? before.shownMetres : self[index].shown(number, in: previous, at: time)
        }
    }
}

extension LiveVehicle {
    /// Metres where the previous snapshot has it at a time; nil if its fix contradicts that.
    fileprivate func shown(
        _ number: Int, in previous: TransitSnapshot, at time: Timestamp
    ) -> Double? {
        guard let place, let then = previous.moving(number, at: seenAt ?? time),
            then.place.metres - place.metres <= LineTrack.offRouteMetres
        else { return nil }
        return previous.moving(number, at: time)?.place.metres
    }

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
