// Where a vehicle has come since its fix: at the speed that its times imply, from stop to stop.
internal import BridgecastCore

/// Moves a vehicle along the course of its run.
struct DeadReckoning {
    /// So many seconds after its fix it is moved no further: too much can have happened.
    static let mostSeconds = 300.0

    let course: RunCourse
    /// The fastest it plausibly goes.
    let mostMetresPerSecond: Double

    /// Where it is at a moment, and how fast it goes there.
    ///
    /// It comes to its next stop when that is predicted, stands there until it is to leave, and goes on so; never
    /// beyond where its times have it, and never faster than `mostMetresPerSecond`. Where it should have been at the
    /// stop before it was seen, it goes as fast as the timetable has it go there.
    /// - Parameters:
    ///   - metres: Where it was along the line.
    ///   - seen: When it was there, seconds since 1970.
    /// - Complexity: O(log stops + stops passed).
    func place(
        from metres: Double, seen: Double, at moment: Double
    ) -> (metres: Double, metresPerSecond: Double) {
        let stops = course.geometry.stopMetres
        let end = min(moment, seen + Self.mostSeconds)
        var (place, time) = (metres, seen)
        var next = stops.partitioningIndex { $0 > metres + 1 }
        let waits = next == 1 && seen < course.departures[0] ? TransitFeed.beginningMetres : 0
        if next > 0, metres - stops[next - 1] <= max(waits, TransitFeed.atStopMetres) {
            // At a stop, or near where its trip begins: it waits for its time.
            time = max(time, course.departures[next - 1])
        }
        while time < end, next < stops.count {
            let arrival = arrival(atStop: next, from: place, leaving: time)
            if end < arrival {
                let speed = (stops[next] - place) / (arrival - time)
                return (place + speed * (end - time), moment > end ? 0 : speed)
            }
            (place, time) = (stops[next], max(arrival, course.departures[next]))
            next += 1
        }
        return (place, 0)
    }

    private func arrival(atStop next: Int, from place: Double, leaving time: Double) -> Double {
        let stops = course.geometry.stopMetres
        let ahead = stops[next] - place
        let soonest = time + ahead / mostMetresPerSecond
        guard next > 0, stops[next] > stops[next - 1] else {
            return max(soonest, course.arrivals[next])
        }
        let planned = max(0, course.arrivals[next] - course.departures[next - 1])
        let asPlanned = time + planned * ahead / (stops[next] - stops[next - 1])
        let isLate = course.arrivals[next] <= time || isPlace(place, ofStop: next - 1)
        return max(soonest, course.arrivals[next], isLate ? asPlanned : 0)
    }

    private func isPlace(_ place: Double, ofStop order: Int) -> Bool {
        place == course.geometry.stopMetres[order]
    }
}
