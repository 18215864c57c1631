// Vehicles put on their runs, and where they are among the stops.
package import BridgecastCore

extension RealtimeMerge {
    /// Takes a vehicle, unless it is from the future.
    ///
    /// - Parameters:
    ///   - messageTime: When its feed was made, which counts where the report does not say when it was.
    ///   - source: The place of its feed.
    package mutating func take(
        _ report: VehicleReport, entityID: String, messageTime: Timestamp?, of source: Int,
        _ tracker: inout VehicleTracker
    ) {
        if let trip = report.trip, trip.tripID.flatMap({ addedOfTrips[$0] }) == nil {
            fits[source].see(trip, resolver)
        }
        let seenAt = report.timestamp ?? messageTime
        guard isBelieved(seenAt, of: source) else { return }
        var vehicle = LiveVehicle(report: report, entityID: entityID, seenAt: seenAt)
        let place = place(of: report, seenAt: seenAt)
        if let place {
            vehicle.run = result.runs[place].key
            let trip = result.runs[place].key.trip
            vehicle.route = RouteIndex(Int(feed.trips.routes[trip.position]))
            vehicle.place = tracker.match(
                report, vehicle: vehicle.trackingName, on: result.runs[place].key,
                seenAt: seenAt ?? asOf, in: feed)
            setNextStop(&vehicle, trip)
        } else {
            vehicle.route = report.trip.flatMap { resolver.route($0) }
        }
        attach(vehicle, number: result.vehicles.count, place)
        result.vehicles.append(vehicle)
    }

    /// The place of the run that a vehicle is on; nil if that is none of the timetable's.
    private mutating func place(of report: VehicleReport, seenAt: Timestamp?) -> Int? {
        guard let selector = report.trip?.withoutEmptyTexts,
            selector.tripID != nil || selector.routeID != nil
        else { return report.vehicle?.id.flatMap { runsOfVehicles[$0] } }
        if let trip = resolver.trip(selector), selector.startDate == nil, selector.startTime == nil,
            let known = placesOfTrips[trip], known.count == 1,
            isUnderWay(known.place, at: moment(seenAt))
        {
            return known.place
        }
        // A vehicle on a trip that the timetable does not have is noted only if no update adds the trip.
        if let id = selector.tripID, addedOfTrips[id] != nil { return nil }
        do {
            return place(of: try resolver.run(selector, near: moment(seenAt)))
        } catch {
            // A route alone is enough for a map, and no mistake; which trip it is an update may say.
            guard error != .unnamed else {
                return report.vehicle?.id.flatMap { runsOfVehicles[$0] }
            }
            note(error, selector, file: Self.vehicleFile)
            return nil
        }
    }

    /// Whether a run is on its way at a moment, or some hours before it or behind it: updates may be of tomorrow's.
    private func isUnderWay(_ place: Int, at seconds: Int64) -> Bool {
        let rows = feed.stopTimes.rows(of: result.runs[place].key.trip)
        let since = seconds - result.starts[place]
        return since >= Int64(feed.stopTimes.departures[rows.lowerBound]) - Self.besideSeconds
            && since <= Int64(feed.stopTimes.arrivals[rows.upperBound - 1]) + Self.besideSeconds
    }

    private static var besideSeconds: Int64 { 6 * 3600 }

    /// Puts a vehicle on its run; of several that say they run it, the one seen last.
    private mutating func attach(_ vehicle: LiveVehicle, number: Int, _ place: Int?) {
        if let place {
            if let other = result.runs[place].vehicle,
                result.vehicles[other].seenAt ?? .earliest > vehicle.seenAt ?? .earliest
            {
                return
            }
            result.runs[place].vehicle = number
        } else if let id = vehicle.report.trip?.tripID, let added = addedOfTrips[id] {
            result.added[added].vehicle = number
        }
    }

    /// Where a vehicle is among the stops of its trip, by its own word.
    private func setNextStop(_ vehicle: inout LiveVehicle, _ trip: TripIndex) {
        let rows = feed.stopTimes.rows(of: trip)
        let row = feed.row(namedBy: vehicle.report, in: rows)
        vehicle.nextStop = row.map { $0 - rows.lowerBound } ?? nextStop(vehicle.place, trip)
        vehicle.isAtStop = row != nil && vehicle.report.stopStatus == .stoppedAt
    }

    /// The first stop that is not behind a place on the way; a stop is behind once a long train has left it.
    private func nextStop(_ place: VehiclePlace?, _ trip: TripIndex) -> Int? {
        guard let place, !place.isOffRoute, let stops = feed.geometry(of: trip)?.stopMetres else {
            return nil
        }
        return min(
            stops.partitionPoint { $0 >= place.metres - Self.leftBehindMetres }, stops.count - 1)
    }

    /// A vehicle is behind a stop once it is so far from it, metres: longer than trains and errors of fixes.
    private static var leftBehindMetres: Double { 250 }

    /// Fills in predictions of our own where feeds have none, and learns how late runs are where feeds say so.
    package mutating func predict(_ tracker: inout VehicleTracker) {
        for place in result.runs.indices {
            let run = result.runs[place]
            guard run.relationship != .cancelled, run.relationship != .deleted else { continue }
            if let said = feed.lateness(of: run, start: result.starts[place]) {
                // Before its first departure a run is on time by default, which says nothing.
                guard said.stop > 0 || said.moment <= asOf else { continue }
                tracker.learn(
                    delaySeconds: said.seconds, of: run.key, at: run.updatedAt ?? asOf, in: feed)
            } else if let own = prediction(of: run, tracker) {
                result.runs[place].stops = own
            }
        }
    }

    /// Our own prediction of a run, of which the feed says nothing but where its vehicle is.
    private func prediction(of run: LiveRun, _ tracker: VehicleTracker) -> [StopPrediction]? {
        guard let vehicle = run.vehicle.map({ result.vehicles[$0] }), let place = vehicle.place,
            let seenAt = vehicle.seenAt, run.stops.allSatisfy({ !$0.isSkipped && !$0.hasNoData }),
            Self.usefulSeconds.contains(asOf.secondsSinceEpoch - seenAt.secondsSinceEpoch)
        else { return nil }
        let own = tracker.predictions(for: run.key, from: place, seenAt: seenAt, in: feed)
        return own.count == feed.stopTimes.rows(of: run.key.trip).count ? own : nil
    }

    /// Where a vehicle was longer ago than so many seconds says nothing of when it comes.
    private static var usefulSeconds: PartialRangeThrough<Int64> { ...1800 }
}

extension TransitFeed {
    /// How late a run is by the feed's own word: at the first stop of which it speaks, and when it is there; nil if it speaks
    /// of none.
    fileprivate func lateness(
        of run: LiveRun, start: Int64
    ) -> (seconds: Int, stop: Int, moment: Timestamp)? {
        let first = run.stops.firstIndex { $0.origin == .feed || $0.origin == .propagated }
        guard let first, let moment = run.stops[first].departure ?? run.stops[first].arrival else {
            return nil
        }
        let row = stopTimes.rows(of: run.key.trip).lowerBound + first
        let scheduled =
            run.stops[first].departure == nil ? stopTimes.arrivals[row] : stopTimes.departures[row]
        return (Int(moment.secondsSinceEpoch - start - Int64(scheduled)), first, moment)
    }
}
