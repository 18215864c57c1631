// When a run is where: its stops' moments, predicted or else scheduled, on its way.
public import BridgecastCore

/// The way of a run and its moments at the stops, so that the time at any place between them can be told.
public struct RunCourse: Sendable {
    /// The way.
    public let geometry: RunGeometry
    /// By stop of the trip, seconds since 1970; an arrival is never after its departure, nor before the departure from
    /// the stop before it.
    public let arrivals, departures: [Double]

    /// - Precondition: As many moments as there are stops, and at least one.
    package init(geometry: RunGeometry, arrivals: [Double], departures: [Double]) {
        precondition(arrivals.count == geometry.stopMetres.count && !arrivals.isEmpty)
        precondition(departures.count == arrivals.count)
        (self.geometry, self.arrivals, self.departures) = (geometry, arrivals, departures)
    }

    /// Seconds since 1970 at which the run is so many metres along its line: between stops at an even speed, at a
    /// stop when it leaves, before the first and after the last stop the moments there.
    ///
    /// O(log stops).
    public func seconds(atMetres metres: Double) -> Double {
        let places = geometry.stopMetres
        let next = places.partitioningIndex { $0 > metres }
        guard next > 0 else { return departures[0] }
        guard next < places.count else { return arrivals[places.count - 1] }
        let share = (metres - places[next - 1]) / (places[next] - places[next - 1])
        return departures[next - 1] + share * (arrivals[next] - departures[next - 1])
    }

    /// Seconds by which a run that is at a place at a moment is behind its times, 0 or more; at a stop it may stand
    /// until it is to leave.
    ///
    /// O(log stops).
    func secondsBehind(atMetres metres: Double, at seconds: Double) -> Double {
        let places = geometry.stopMetres
        let next = places.partitioningIndex { $0 > metres }
        for order in [next - 1, next] where places.indices.contains(order) {
            guard abs(places[order] - metres) <= TransitFeed.atStopMetres else { continue }
            return max(0, seconds - departures[order])
        }
        return max(0, seconds - self.seconds(atMetres: metres))
    }

    /// The moment at which the run is so many metres along its line, to the nearest second.
    public func time(atMetres metres: Double) -> Timestamp {
        Timestamp(secondsSinceEpoch: Int64(seconds(atMetres: metres).rounded()))
    }

    /// Metres along the line where the run is at a moment; the first stop before it starts, the last after it ends.
    ///
    /// O(log stops).
    public func metres(atSeconds seconds: Double) -> Double {
        let next = arrivals.partitioningIndex { $0 > seconds }
        let places = geometry.stopMetres
        guard next > 0 else { return places[0] }
        guard next < places.count, seconds > departures[next - 1] else { return places[next - 1] }
        let share = (seconds - departures[next - 1]) / (arrivals[next] - departures[next - 1])
        return places[next - 1] + share * (places[next] - places[next - 1])
    }
}

extension TransitFeed {
    /// The run as the timetable has it; nil where its way is not known.
    public func scheduledCourse(of run: RunKey) -> RunCourse? {
        guard let geometry = geometry(of: run.trip) else { return nil }
        let rows = stopTimes.rows(of: run.trip)
        let start = Double(startOfTimes(of: run).secondsSinceEpoch)
        return RunCourse(
            geometry: geometry, arrivals: rows.map { start + Double(stopTimes.arrivals[$0]) },
            departures: rows.map { start + Double(stopTimes.departures[$0]) })
    }

    /// The moment from which a run's stop times count: the start of its service day, moved for a run by frequencies,
    /// whose first departure is at its own start.
    package func startOfTimes(of run: RunKey) -> Timestamp {
        let day = zone.serviceDayStart(run.date)
        let rows = stopTimes.rows(of: run.trip)
        guard let start = run.startSeconds, !rows.isEmpty else { return day }
        return day.adding(seconds: Int64(start) - Int64(stopTimes.departures[rows.lowerBound]))
    }
}

extension TransitSnapshot {
    /// The run as predicted, and as scheduled where nothing is predicted; nil where its way is not known.
    public func course(of run: RunKey) -> RunCourse? {
        guard let scheduled = feed.scheduledCourse(of: run) else { return nil }
        return scheduled.predicted(by: runs[run]?.stops ?? [])
    }
}

extension RunCourse {
    /// The course with predicted moments in place of those it has, put in order: nothing is left before it is reached.
    ///
    /// A stop of which nothing is predicted, such as one without data, is as late as the one before it: a vehicle that is
    /// late there cannot be on time a stop later. None is early for that.
    package func predicted(by stops: [StopPrediction]) -> RunCourse {
        guard stops.count == arrivals.count else { return self }
        var (arrivals, departures, late) = (arrivals, departures, 0.0)
        for (order, stop) in stops.enumerated() {
            guard let arrival = stop.arrival ?? stop.departure,
                let departure = stop.departure ?? stop.arrival
            else {
                arrivals[order] += late
                departures[order] += late
                continue
            }
            late = max(0, Double(departure.secondsSinceEpoch) - departures[order])
            arrivals[order] = Double(arrival.secondsSinceEpoch)
            departures[order] = Double(departure.secondsSinceEpoch)
        }
        // What is predicted bounds what is only scheduled before it; then times go forwards.
        var bound = Double.infinity
        for order in stops.indices.reversed() {
            let isPredicted = stops[order].arrival != nil || stops[order].departure != nil
            if !isPredicted {
                departures[order] = min(departures[order], bound)
                arrivals[order] = min(arrivals[order], departures[order])
            }
            bound = isPredicted ? min(bound, arrivals[order]) : bound
        }
        var reached = -Double.infinity
        for order in stops.indices {
            arrivals[order] = max(arrivals[order], reached)
            departures[order] = max(departures[order], arrivals[order])
            reached = departures[order]
        }
        return RunCourse(geometry: geometry, arrivals: arrivals, departures: departures)
    }
}
