// A line of a departures board, with scheduled and predicted times kept apart, and how it is made from timetable
// and realtime; also which runs have left.
public import BridgecastCore

/// A departure, or an arrival where the trip ends, at a stop.
public struct Departure: Sendable, Hashable {
    /// How a departure compares with the timetable.
    public enum Status: String, Sendable, CaseIterable {
        /// In the timetable, without realtime; its time may be moved by what is typical of the route.
        case scheduled
        /// Predicted, within ``BoardQuery/onTimeSeconds``.
        case onTime = "on_time"
        /// Predicted, later than on time.
        case late
        /// Predicted, earlier than on time.
        case early
        /// The whole trip does not run.
        case cancelled
        /// The trip runs and does not stop here.
        case skipped
        /// Not in the timetable; runs today.
        case added
        /// The feed has no data for this stop.
        case noData = "no_data"
    }

    /// The run; nil for one that the timetable does not have.
    public var run: RunKey?
    /// The trip's identifier in the feed.
    public var tripID: String
    /// Nil if the timetable does not have it.
    public var route: RouteIndex?
    /// The platform in use.
    public var stop: StopIndex
    /// The planned platform, if it is another one.
    public var plannedStop: StopIndex?
    /// The index among the stops of the trip, or of the update for a trip that is not in the timetable.
    public var stopOrder: Int
    /// Whether the trip ends here, which makes it an arrival.
    public var isLastStop: Bool
    /// The destination that the vehicle shows here.
    public var headsign: String
    /// What riders call the trip, such as a train's number; empty if nothing.
    public var shortName: String
    /// 0 or 1; nil where the feed does not say.
    public var direction: Int?
    /// By the timetable.
    public var scheduledArrival, scheduledDeparture: Timestamp?
    /// Nil without a prediction.
    public var predictedArrival, predictedDeparture: Timestamp?
    /// The origin of the prediction; nil without one.
    public var origin: StopPrediction.Origin?
    /// The standard deviation of the prediction, seconds; nil if unknown.
    public var spreadSeconds: Double?
    /// How it stands.
    public var status: Status
    /// How far to trust it.
    public var confidence: DepartureConfidence
    /// The index in ``TransitSnapshot/vehicles``; nil if unknown.
    public var vehicle: Int?
    /// When the vehicle was last seen; nil if it was not.
    public var seenAt: Timestamp?
    /// Nil if unknown.
    public var occupancy: Occupancy?
    /// Per cent of the capacity; nil if unknown.
    public var occupancyPercentage: Int?
    /// Whether wheelchairs can board here: vehicle and stop.
    public var wheelchair: Accessibility
    /// Whether times are approximate: so marked in the feed, by headways, or interpolated.
    public var isApproximate: Bool

    /// The time to wait for: predicted if it is, else scheduled; of the departure, or else of the arrival.
    public var expected: Timestamp? {
        predictedDeparture ?? predictedArrival ?? scheduledDeparture ?? scheduledArrival
    }

    /// When the vehicle arrives, as it may wait before it leaves: predicted if it is, else scheduled; nil if nothing stops.
    package var expectedArrival: Timestamp? {
        guard isServed else { return nil }
        return predictedArrival ?? predictedDeparture ?? scheduledArrival ?? scheduledDeparture
    }

    /// Whether something stops: false for what is cancelled and what passes by.
    package var isServed: Bool { status != .cancelled && status != .skipped }

    /// Whether it stops, and not before a time.
    package func isComing(at time: Timestamp) -> Bool {
        isServed && expected.map { $0 >= time } ?? false
    }

    /// The delay, seconds, negative if early; nil unless both times are known, and where the prediction is what is typical of
    /// the route, which says nothing of today.
    public var delaySeconds: Int? {
        guard origin != .history else { return nil }
        let pairs = [
            (predictedDeparture, scheduledDeparture), (predictedArrival, scheduledArrival),
        ]
        for case (let predicted?, let scheduled?) in pairs {
            return Int(predicted.secondsSinceEpoch - scheduled.secondsSinceEpoch)
        }
        return nil
    }
}

/// The confidence in the expected time of a departure.
///
/// - HIGH: the vehicle was seen in the last 90 s, is not held up (has not moved for 2 min although it should have), and there
///   is a trip update that is no older than 5 min, by its own timestamp or else its feed's.
/// - MEDIUM: a trip update alone, or an older one, or the vehicle was seen in the last 5 min or is held up.
/// - LOW: the timetable, moved by how late this route has been at this hour; or a trip update that has not been renewed
///   for 15 min.
/// - NONE: the timetable alone.
public enum DepartureConfidence: String, Sendable, CaseIterable {
    case high = "HIGH"
    case medium = "MEDIUM"
    case low = "LOW"
    case none = "NONE"

    /// The name of the colour it is shown in.
    public var colourName: String {
        switch self {
        case .high: "green"
        case .medium: "orange"
        case .low: "red"
        case .none: "grey"
        }
    }

    /// The maximum age of a vehicle's position for HIGH, and the maximum that a feed's clock may be ahead, seconds.
    package static let highSeconds: Int64 = 90
    /// The maximum age of a trip update for HIGH, seconds.
    package static let newUpdateSeconds: Int64 = 300
    /// The maximum age of a vehicle's position for MEDIUM, seconds.
    package static let mediumSeconds: Int64 = 300
    /// A trip update older than this, seconds, is trusted no more than the route's typical lateness.
    package static let oldUpdateSeconds: Int64 = 900
}

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
        guard let delay = departure.delaySeconds else { return .scheduled }
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
        if isNew, seen <= DepartureConfidence.highSeconds {
            let isHeld = departure.vehicle.map { snapshot.vehicles[$0].isHeld } ?? false
            return isHeld ? .medium : .high
        }
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
