// One line of a board from what is scheduled and what is known: times, status, confidence, crowding.
internal import BridgecastCore

/// Makes departures of a snapshot as they stand at a moment.
struct DepartureMaker {
    let snapshot: TransitSnapshot
    /// Seconds since 1970.
    let moment: Int64
    /// Later or earlier than so many seconds is no longer on time.
    let onTimeSeconds: Int

    /// A candidate of a board.
    func departure(_ candidate: BoardCandidate) -> Departure {
        switch candidate.source {
        case .added(let number):
            return departure(snapshot.added[Int(number)], order: Int(candidate.order))
        case .live(let number):
            let run = snapshot.live[Int(number)]
            return departure(
                run.key, run, start: snapshot.liveStarts[Int(number)], order: Int(candidate.order))
        case .timetable(_, let day, let start):
            let key = RunKey(
                trip: TripIndex(Int(candidate.trip)), date: CivilDate(dayNumber: Int(day)),
                startSeconds: start < 0 ? nil : Int(start))
            return departure(key, nil, start: snapshot.start(of: key), order: Int(candidate.order))
        }
    }

    /// A call of a run of the timetable.
    func departure(_ key: RunKey, _ run: LiveRun?, start: Int64, order: Int) -> Departure {
        let feed = snapshot.feed
        let (trip, rows) = (key.trip.position, feed.stopTimes.rows(of: key.trip))
        let row = rows.lowerBound + order
        let isLast = row + 1 == rows.upperBound
        let prediction = run.flatMap { order < $0.stops.count ? $0.stops[order] : nil }
        let (planned, used) = (StopIndex(Int(feed.stopTimes.stops[row])), prediction?.assignedStop)
        let flags = StopTimeTable.Flags(rawValue: feed.stopTimes.flags[row])
        var result = Departure(
            run: key, tripID: feed.trips.ids[trip], route: RouteIndex(Int(feed.trips.routes[trip])),
            stop: used ?? planned, plannedStop: used == nil || used == planned ? nil : planned,
            stopOrder: order, isLastStop: isLast,
            headsign: feed.headsign(
                feed.stopTimes.headsign(ofRow: row) ?? feed.trips.headsigns[trip]),
            shortName: feed.trips.shortNames[trip],
            direction: feed.trips.directions[trip] < 0 ? nil : Int(feed.trips.directions[trip]),
            isApproximate: !flags.isDisjoint(with: [.approximate, .interpolated])
                || key.startSeconds != nil && feed.hasLooseHeadways(key.trip))
        result.scheduledArrival = Timestamp(
            secondsSinceEpoch: start + Int64(feed.stopTimes.arrivals[row]))
        if !isLast {
            result.scheduledDeparture = Timestamp(
                secondsSinceEpoch: start + Int64(feed.stopTimes.departures[row]))
        }
        if let prediction { result.take(prediction) }
        if run == nil, key.startSeconds == nil {
            addHistory(to: &result, key.trip, feed.stopTimes.departures[row])
        }
        addVehicle(run?.vehicle, to: &result, Accessibility(rawValue: feed.trips.wheelchairs[trip]))
        result.status = status(result, run?.relationship, prediction)
        result.confidence = confidence(result, updatedAt: run?.updatedAt)
        return result
    }

    /// A call of a run that the timetable does not have.
    func departure(_ run: AddedRun, order: Int) -> Departure {
        let (call, update) = (run.stops[order], run.update)
        let isLast = order == run.stops.count - 1
        var result = Departure(
            run: nil, tripID: run.tripID ?? "",
            route: run.route, stop: call.stop, plannedStop: nil, stopOrder: order,
            isLastStop: isLast, headsign: run.headsign,
            shortName: update.properties?.shortName ?? "",
            direction: update.trip.direction, isApproximate: false)
        (result.scheduledArrival, result.predictedArrival) = (call.scheduledArrival, call.arrival)
        if isLast {
            result.predictedArrival = call.arrival ?? call.departure
        } else {
            result.scheduledDeparture = call.scheduledDeparture
            result.predictedDeparture = call.departure
        }
        let isPredicted = result.predictedArrival != nil || result.predictedDeparture != nil
        result.origin = isPredicted ? .feed : nil
        addVehicle(run.vehicle, to: &result, nil)
        result.status = .added
        result.confidence = confidence(result, updatedAt: update.timestamp ?? snapshot.asOf)
        return result
    }

    /// Moves a run of which nothing is known today by how late its route usually is; what is past stays.
    private func addHistory(to departure: inout Departure, _ trip: TripIndex, _ secondsOfDay: Int32)
    {
        guard let usual = snapshot.usualLateness(ofTrip: trip.number, secondsOfDay: secondsOfDay),
            let scheduled = departure.scheduledDeparture ?? departure.scheduledArrival,
            scheduled.secondsSinceEpoch + usual.seconds >= moment
        else { return }
        departure.predictedArrival = departure.scheduledArrival?.adding(seconds: usual.seconds)
        departure.predictedDeparture = departure.scheduledDeparture?.adding(seconds: usual.seconds)
        (departure.origin, departure.spreadSeconds) = (.history, usual.spread)
    }

    /// How a call stands against the timetable.
    private func status(
        _ departure: Departure, _ relationship: TripRelationship?, _ prediction: StopPrediction?
    ) -> Departure.Status {
        if relationship == .cancelled || relationship == .deleted { return .cancelled }
        if prediction?.isSkipped == true { return .skipped }
        if prediction?.hasNoData == true { return .noData }
        // What is usual is not known of today.
        guard departure.origin != .history, let delay = departure.delaySeconds else {
            return .scheduled
        }
        return delay > onTimeSeconds ? .late : delay < -onTimeSeconds ? .early : .onTime
    }

    /// How far to trust a prediction, as ``DepartureConfidence`` says.
    private func confidence(_ departure: Departure, updatedAt: Timestamp?) -> DepartureConfidence {
        guard let origin = departure.origin else { return .none }
        if origin == .history { return .low }
        let age = departure.seenAt.map { moment - $0.secondsSinceEpoch }
        // A clock that runs a little ahead is usual; a vehicle seen tomorrow was not seen.
        let isSeen = age.map { $0 >= -DepartureConfidence.highSeconds } ?? false
        let seen = isSeen ? age ?? .max : .max
        guard origin != .position, let updatedAt else {
            return seen <= DepartureConfidence.mediumSeconds ? .medium : .low
        }
        let updated = moment - updatedAt.secondsSinceEpoch
        let isNew = (-DepartureConfidence.highSeconds...DepartureConfidence.newUpdateSeconds)
            .contains(updated)
        if isNew, seen <= DepartureConfidence.highSeconds { return .high }
        let isOld = updated > DepartureConfidence.oldUpdateSeconds
        return isOld && seen > DepartureConfidence.mediumSeconds ? .low : .medium
    }

    /// What the vehicle tells: when it was seen, how full it is, whether it takes wheelchairs.
    private func addVehicle(_ number: Int?, to departure: inout Departure, _ trip: Accessibility?) {
        let vehicle = number.map { snapshot.vehicles[$0] }
        (departure.vehicle, departure.seenAt) = (number, vehicle?.seenAt)
        departure.wheelchair = (vehicle?.report.vehicle?.accessibility ?? trip ?? .unknown)
            .and(snapshot.feed.stops.wheelchairs[departure.stop.position])
        guard let vehicle, let seen = vehicle.seenAt?.secondsSinceEpoch,
            moment - seen <= LiveVehicle.crowdingSeconds
        else { return }
        departure.occupancyPercentage = vehicle.report.occupancyPercentage
        let said = departure.occupancy
        if said == nil || said == .noDataAvailable {
            departure.occupancy = vehicle.report.occupancy ?? said
        }
    }
}

extension Departure {
    /// A departure of which nothing but its place in the timetable is known yet.
    fileprivate init(
        run: RunKey?, tripID: String, route: RouteIndex?, stop: StopIndex, plannedStop: StopIndex?,
        stopOrder: Int, isLastStop: Bool, headsign: String, shortName: String, direction: Int?,
        isApproximate: Bool
    ) {
        (self.run, self.tripID, self.route) = (run, tripID, route)
        (self.stop, self.plannedStop, self.stopOrder) = (stop, plannedStop, stopOrder)
        (self.isLastStop, self.headsign, self.shortName) = (isLastStop, headsign, shortName)
        (self.direction, self.isApproximate) = (direction, isApproximate)
        (status, confidence, wheelchair) = (.scheduled, .none, .unknown)
    }

    /// Takes what is predicted; where the trip ends there is no departure.
    fileprivate mutating func take(_ prediction: StopPrediction) {
        predictedArrival = prediction.arrival
        predictedDeparture = prediction.departure
        if isLastStop {
            (predictedArrival, predictedDeparture) = (
                prediction.arrival ?? prediction.departure, nil
            )
        }
        (origin, spreadSeconds) = (prediction.origin, prediction.spreadSeconds)
        occupancy = prediction.occupancy
    }
}

extension TransitFeed {
    /// Whether runs of a trip only come so often, rather than start at exact times.
    fileprivate func hasLooseHeadways(_ trip: TripIndex) -> Bool {
        trips.frequencies(of: trip).contains { frequencies[$0].isExact == 0 }
    }
}

extension VehicleLabel {
    /// What the vehicle says of wheelchairs, in the words of trips and stops; nil if it does not say
    /// (`VehicleDescriptor.WheelchairAccessible`).
    fileprivate var accessibility: Accessibility? {
        wheelchair == 2 ? .accessible : wheelchair == 3 ? .inaccessible : nil
    }
}

extension Accessibility {
    /// Both together: yes only if both say yes, no if either says no.
    fileprivate func and(_ other: UInt8) -> Accessibility {
        let other = Accessibility(rawValue: other) ?? .unknown
        if self == .inaccessible || other == .inaccessible { return .inaccessible }
        return self == .accessible && other == .accessible ? .accessible : .unknown
    }
}
