// The times of a run along its path, predicted or else scheduled, and its lateness.
public import BridgecastCore

/// The path of a run and its times at the stops, which give the time at any position between them.
public struct RunCourse: Sendable {
    /// The path.
    public let geometry: RunGeometry
    /// By stop, seconds since 1970; never decreasing.
    public let arrivals, departures: [Double]

    /// - Precondition: One arrival and departure a stop, and at least one stop.
    package init(geometry: RunGeometry, arrivals: [Double], departures: [Double]) {
        precondition(arrivals.count == geometry.stopMetres.count && !arrivals.isEmpty)
        precondition(departures.count == arrivals.count)
        self.geometry = geometry
        self.arrivals = arrivals
        self.departures = departures
    }

    /// Seconds since 1970 at which the run is at a distance along its line: constant speed between stops, at a stop the
    /// departure, clamped to the first and last stop.
    ///
    /// O(log stops).
    public func seconds(atMetres metres: Double) -> Double {
        let stops = geometry.stopMetres
        let next = stops.partitioningIndex { $0 > metres }
        guard next > 0 else { return departures[0] }
        guard next < stops.count else { return arrivals[stops.count - 1] }
        let share = (metres - stops[next - 1]) / (stops[next] - stops[next - 1])
        return departures[next - 1] + share * (arrivals[next] - departures[next - 1])
    }

    /// Seconds by which a run at a position and time is behind its times, 0 or more; at a stop it may wait for its
    /// departure.
    ///
    /// O(log stops).
    func secondsBehind(atMetres metres: Double, at seconds: Double) -> Double {
        let stops = geometry.stopMetres
        let next = stops.partitioningIndex { $0 > metres }
        for order in [next - 1, next] where stops.indices.contains(order) {
            guard abs(stops[order] - metres) <= TransitFeed.atStopMetres else { continue }
            return max(0, seconds - departures[order])
        }
        return max(0, seconds - self.seconds(atMetres: metres))
    }

    /// The time at which the run is at a distance along its line, to the nearest second.
    public func time(atMetres metres: Double) -> Timestamp {
        Timestamp(secondsSinceEpoch: Int64(seconds(atMetres: metres).rounded()))
    }

    /// Metres along the line at a time, clamped to the first and last stop.
    ///
    /// O(log stops).
    public func metres(atSeconds seconds: Double) -> Double {
        let next = arrivals.partitioningIndex { $0 > seconds }
        let stops = geometry.stopMetres
        guard next > 0 else { return stops[0] }
        guard next < stops.count, seconds > departures[next - 1] else { return stops[next - 1] }
        let share = (seconds - departures[next - 1]) / (arrivals[next] - departures[next - 1])
        return stops[next - 1] + share * (stops[next] - stops[next - 1])
    }
}

extension TransitFeed {
    /// The run by the timetable; nil if its path is unknown.
    public func scheduledCourse(of run: RunKey) -> RunCourse? {
        guard let geometry = geometry(of: run.trip) else { return nil }
        let rows = stopTimes.rows(of: run.trip)
        let start = Double(startOfTimes(of: run).secondsSinceEpoch)
        return RunCourse(
            geometry: geometry, arrivals: rows.map { start + Double(stopTimes.arrivals[$0]) },
            departures: rows.map { start + Double(stopTimes.departures[$0]) })
    }

    /// The time from which a run's stop times count: the start of its service day, shifted for a run of frequencies.txt,
    /// whose first departure is at its own start.
    package func startOfTimes(of run: RunKey) -> Timestamp {
        let day = zone.serviceDayStart(run.date)
        let rows = stopTimes.rows(of: run.trip)
        guard let start = run.startSeconds, !rows.isEmpty else { return day }
        return day.adding(seconds: Int64(start) - Int64(stopTimes.departures[rows.lowerBound]))
    }
}

extension TransitSnapshot {
    /// The run as predicted, or scheduled where nothing is predicted; nil if its path is unknown.
    public func course(of run: RunKey) -> RunCourse? {
        guard let scheduled = feed.scheduledCourse(of: run) else { return nil }
        return scheduled.predicted(by: runs[run]?.stops ?? [])
    }
}

extension RunCourse {
    /// The course with predicted times, corrected so that they never decrease.
    ///
    /// A stop without a prediction is as late as the one before it, but never early: a vehicle that is late cannot be on
    /// time a stop later.
    package func predicted(by stops: [StopPrediction]) -> RunCourse {
        guard stops.count == arrivals.count else { return self }
        var arrivals = arrivals
        var departures = departures
        var late = 0.0
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
        // Predictions bound the scheduled times before them; then times are made to increase.
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

// MARK: - Lateness

extension TransitFeed {
    /// Distance from a stop within which a vehicle is at it, metres.
    package static let atStopMetres = 40.0
    /// Distance from the first stop within which a vehicle waits for its trip to begin, metres: sidings, loops, yards.
    package static let beginningMetres = 250.0

    package func waitsToBegin(
        _ trip: TripIndex, on geometry: RunGeometry, atMetres metres: Double, seconds: Double
    ) -> Bool {
        metres <= geometry.stopMetres[0] + Self.beginningMetres
            && seconds < Double(stopTimes.departures[stopTimes.rows(of: trip).lowerBound])
    }

    /// Seconds by which a vehicle is late, negative if early; 0 while it waits at a stop for its departure, or for its
    /// trip to begin.
    ///
    /// - Parameter seconds: Seconds since ``startOfTimes(of:)``.
    /// - Complexity: O(log stops).
    package func lateness(
        of trip: TripIndex, on geometry: RunGeometry, atMetres metres: Double, seconds: Double
    ) -> Double {
        if waitsToBegin(trip, on: geometry, atMetres: metres, seconds: seconds) { return 0 }
        let first = stopTimes.rows(of: trip).lowerBound
        let stops = geometry.stopMetres
        let next = stops.partitioningIndex { $0 > metres }
        for order in [next - 1, next] where stops.indices.contains(order) {
            guard abs(stops[order] - metres) <= Self.atStopMetres else { continue }
            let departure = Double(stopTimes.departures[first + order])
            let arrival = Double(stopTimes.arrivals[first + order])
            return seconds < arrival ? seconds - arrival : max(0, seconds - departure)
        }
        return seconds
            - scheduledSeconds(atMetres: metres, stops: stops, nextStop: next, firstRow: first)
    }

    private func scheduledSeconds(
        atMetres metres: Double, stops: [Double], nextStop next: Int, firstRow first: Int
    ) -> Double {
        guard next > 0 else { return Double(stopTimes.departures[first]) }
        guard next < stops.count else { return Double(stopTimes.arrivals[first + next - 1]) }
        let departure = Double(stopTimes.departures[first + next - 1])
        let share = (metres - stops[next - 1]) / (stops[next] - stops[next - 1])
        return departure + share * (Double(stopTimes.arrivals[first + next]) - departure)
    }
}
