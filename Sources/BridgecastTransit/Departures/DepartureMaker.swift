// Makes the lines of boards from timetable and realtime: times, status, confidence, occupancy; and tells which runs have
// left.
internal import BridgecastCore

/// Makes the departures of a snapshot at a time.
struct DepartureMaker {
    let snapshot: TransitSnapshot
    /// Seconds since 1970.
    let now: Int64
    /// As ``BoardQuery/onTimeSeconds``.
    let onTimeSeconds: Int

    /// A candidate of a board.
    func departure(_ candidate: BoardCandidate) -> Departure {
        switch candidate.source {
        case .added(let index):
            return departure(snapshot.added[Int(index)], order: Int(candidate.order))
        case .live(let index):
            let run = snapshot.live[Int(index)]
            return departure(
                run.key, run, start: snapshot.liveStarts[Int(index)], order: Int(candidate.order))
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
        let trip = key.trip.position
        let rows = feed.stopTimes.rows(of: key.trip)
        let row = rows.lowerBound + order
        let isLast = row + 1 == rows.upperBound
        let prediction = run.flatMap { order < $0.stops.count ? $0.stops[order] : nil }
        let planned = StopIndex(Int(feed.stopTimes.stops[row]))
        let used = prediction?.assignedStop
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
            addTypicalLateness(
                to: &result, of: key.trip, secondsOfDay: feed.stopTimes.departures[row])
        }
        addVehicle(
            run?.vehicle, to: &result,
            trip: Accessibility(rawValue: feed.trips.wheelchairs[trip]))
        result.status = status(result, run?.relationship, prediction)
        result.confidence = confidence(result, updatedAt: run?.updatedAt)
        return result
    }

    /// A call of a run that the timetable does not have.
    func departure(_ run: AddedRun, order: Int) -> Departure {
        let call = run.stops[order]
        let update = run.update
        let isLast = order == run.stops.count - 1
        var result = Departure(
            run: nil, tripID: run.tripID ?? "",
            route: run.route, stop: call.stop, plannedStop: nil, stopOrder: order,
            isLastStop: isLast, headsign: run.headsign,
            shortName: update.properties?.shortName ?? "",
            direction: update.trip.direction, isApproximate: false)
        result.scheduledArrival = call.scheduledArrival
        result.predictedArrival = call.arrival
        if isLast {
            result.predictedArrival = call.arrival ?? call.departure
        } else {
            result.scheduledDeparture = call.scheduledDeparture
            result.predictedDeparture = call.departure
        }
        let isPredicted = result.predictedArrival != nil || result.predictedDeparture != nil
        result.origin = isPredicted ? .feed : nil
        addVehicle(run.vehicle, to: &result, trip: nil)
        result.status = .added
        result.confidence = confidence(result, updatedAt: update.timestamp ?? snapshot.asOf)
        return result
    }

    /// Delays a run without realtime by the typical lateness of its route, unless it is past even so.
    private func addTypicalLateness(
        to departure: inout Departure, of trip: TripIndex, secondsOfDay: Int32
    ) {
        guard
            let typical = snapshot.typicalLateness(
                ofTrip: trip.number, secondsOfDay: secondsOfDay),
            let scheduled = departure.scheduledDeparture ?? departure.scheduledArrival,
            scheduled.secondsSinceEpoch + typical.seconds >= now
        else { return }
        departure.predictedArrival = departure.scheduledArrival?.adding(seconds: typical.seconds)
        departure.predictedDeparture = departure.scheduledDeparture?
            .adding(seconds: typical.seconds)
        departure.origin = .history
        departure.spreadSeconds = typical.spread
    }

    /// How a call compares with the timetable.
    private func status(
        _ departure: Departure, _ relationship: TripRelationship?, _ prediction: StopPrediction?
    ) -> Departure.Status {
        if relationship == .cancelled || relationship == .deleted { return .cancelled }
        if prediction?.isSkipped == true { return .skipped }
        if prediction?.hasNoData == true { return .noData }
        // Typical lateness says nothing of today.
        guard departure.origin != .history, let delay = departure.delaySeconds else {
            return .scheduled
        }
        return delay > onTimeSeconds ? .late : delay < -onTimeSeconds ? .early : .onTime
    }

    /// The confidence in a prediction, by the rules of ``DepartureConfidence``.
    private func confidence(_ departure: Departure, updatedAt: Timestamp?) -> DepartureConfidence {
        guard let origin = departure.origin else { return .none }
        if origin == .history { return .low }
        let age = departure.seenAt.map { now - $0.secondsSinceEpoch }
        // Many clocks are slightly ahead; a vehicle seen tomorrow was not seen.
        let isSeen = age.map { $0 >= -DepartureConfidence.highSeconds } ?? false
        let seen = isSeen ? age ?? .max : .max
        guard origin != .position, let updatedAt else {
            return seen <= DepartureConfidence.mediumSeconds ? .medium : .low
        }
        let updated = now - updatedAt.secondsSinceEpoch
        let isNew = (-DepartureConfidence.highSeconds...DepartureConfidence.newUpdateSeconds)
            .contains(updated)
        if isNew, seen <= DepartureConfidence.highSeconds { return .high }
        let isOld = updated > DepartureConfidence.oldUpdateSeconds
        return isOld && seen > DepartureConfidence.mediumSeconds ? .low : .medium
    }

    /// Adds when the vehicle was seen, its occupancy, and whether wheelchairs can board.
    private func addVehicle(
        _ index: Int?, to departure: inout Departure, trip: Accessibility?
    ) {
        let vehicle = index.map { snapshot.vehicles[$0] }
        departure.vehicle = index
        departure.seenAt = vehicle?.seenAt
        departure.wheelchair = (vehicle?.report.vehicle?.accessibility ?? trip ?? .unknown)
            .and(snapshot.feed.stops.wheelchairs[departure.stop.position])
        guard let vehicle, let seen = vehicle.seenAt?.secondsSinceEpoch,
            now - seen <= LiveVehicle.occupancySeconds
        else { return }
        departure.occupancyPercentage = vehicle.report.occupancyPercentage
        let predicted = departure.occupancy
        if predicted == nil || predicted == .noDataAvailable {
            departure.occupancy = vehicle.report.occupancy ?? predicted
        }
    }
}

extension Departure {
    /// A departure without times yet.
    fileprivate init(
        run: RunKey?, tripID: String, route: RouteIndex?, stop: StopIndex, plannedStop: StopIndex?,
        stopOrder: Int, isLastStop: Bool, headsign: String, shortName: String, direction: Int?,
        isApproximate: Bool
    ) {
        self.run = run
        self.tripID = tripID
        self.route = route
        self.stop = stop
        self.plannedStop = plannedStop
        self.stopOrder = stopOrder
        self.isLastStop = isLastStop
        self.headsign = headsign
        self.shortName = shortName
        self.direction = direction
        self.isApproximate = isApproximate
        status = .scheduled
        confidence = .none
        wheelchair = .unknown
    }

    /// Copies a prediction; where the trip ends there is no departure.
    fileprivate mutating func take(_ prediction: StopPrediction) {
        if isLastStop {
            predictedArrival = prediction.arrival ?? prediction.departure
        } else {
            predictedArrival = prediction.arrival
            predictedDeparture = prediction.departure
        }
        origin = prediction.origin
        spreadSeconds = prediction.spreadSeconds
        occupancy = prediction.occupancy
    }
}

extension TransitFeed {
    /// Whether runs of a trip keep a headway rather than start at exact times.
    fileprivate func hasLooseHeadways(_ trip: TripIndex) -> Bool {
        trips.frequencies(of: trip).contains { frequencies[$0].isExact == 0 }
    }
}

extension VehicleLabel {
    /// `VehicleDescriptor.WheelchairAccessible` as trips and stops have it; nil if unknown.
    fileprivate var accessibility: Accessibility? {
        wheelchair == 2 ? .accessible : wheelchair == 3 ? .inaccessible : nil
    }
}

extension Accessibility {
    /// Both together: accessible only if both are, inaccessible if either is.
    fileprivate func and(_ other: UInt8) -> Accessibility {
        let other = Accessibility(rawValue: other) ?? .unknown
        if self == .inaccessible || other == .inaccessible { return .inaccessible }
        return self == .accessible && other == .accessible ? .accessible : .unknown
    }
}

// MARK: - Live calls

/// Whether a live run is still to come at a stop, and when.
struct CallExpectation {
    private let run: LiveRun
    private let order: Int
    private let prediction: StopPrediction?
    private let vehicle: LiveVehicle?
    /// By the timetable, seconds since 1970; of the departure, or the arrival where the trip ends.
    private let scheduled: Int64
    private let isLast: Bool
    private let feed: TransitFeed
    /// The time from which stop times count, seconds since 1970.
    private let start: Int64

    /// A fix older than this no longer shows that a vehicle is still to come, seconds.
    static let freshSeconds: Int64 = 90

    init(_ snapshot: TransitSnapshot, run index: Int, order: Int) {
        run = snapshot.live[index]
        self.order = order
        prediction = order < run.stops.count ? run.stops[order] : nil
        vehicle = run.vehicle.map { snapshot.vehicles[$0] }
        feed = snapshot.feed
        start = snapshot.liveStarts[index]
        let rows = feed.stopTimes.rows(of: run.key.trip)
        let row = rows.lowerBound + order
        isLast = order == rows.count - 1
        scheduled =
            start + Int64(isLast ? feed.stopTimes.arrivals[row] : feed.stopTimes.departures[row])
    }

    /// When it is expected, seconds since 1970; nil if it has left, or must not be shown.
    func expected(at now: Int64) -> Int64? {
        switch run.relationship {
        // Deleted trips must not be shown to riders (GTFS Realtime reference, ScheduleRelationship).
        case .deleted: return nil
        case .cancelled: return scheduled >= now ? scheduled : nil
        default: break
        }
        let expected = predicted ?? scheduled
        if let next = vehicle?.nextStop, let seen = vehicle?.seenAt?.secondsSinceEpoch,
            seen <= now + Self.freshSeconds
        {
            if next > order { return nil }
            // It is still to come, or at the stop, whatever was predicted.
            if now - seen <= Self.freshSeconds { return expected }
        }
        guard expected >= now else { return nil }
        return predicted == nil && hasPassedEarly(at: now) ? nil : expected
    }

    /// When it was expected, seconds since 1970, if that is in a past period, and no vehicle is known to have left; nil
    /// otherwise, and for a run that does not stop here.
    func missed(in past: Range<Int64>) -> Int64? {
        guard !past.isEmpty, run.relationship != .cancelled, run.relationship != .deleted,
            prediction?.isSkipped != true, vehicle?.nextStop.map({ $0 <= order }) ?? true
        else { return nil }
        let expected = predicted ?? scheduled
        return past.contains(expected) ? expected : nil
    }

    /// The predicted time to wait for.
    private var predicted: Int64? {
        guard let prediction else { return nil }
        let (first, second) =
            isLast
            ? (prediction.arrival, prediction.departure)
            : (prediction.departure, prediction.arrival)
        return (first ?? second)?.secondsSinceEpoch
    }

    /// Whether nothing is predicted here because an early vehicle has passed: feeds have the stops to come, and the first of
    /// them is so early that this one was passed.
    private func hasPassedEarly(at now: Int64) -> Bool {
        guard prediction?.hasNoData != true,
            let first = run.stops.firstIndex(where: { $0.departure != nil || $0.arrival != nil }),
            first > order, let moved = run.stops[first].departure ?? run.stops[first].arrival
        else { return false }
        let row = feed.stopTimes.rows(of: run.key.trip).lowerBound + first
        let planned = start + Int64(feed.stopTimes.departures[row])
        return scheduled + min(0, moved.secondsSinceEpoch - planned) < now
    }
}
