// The drawbridges that a run still has to cross: where the run is, when it reaches each, and the
// delay there. The text of it is in BridgeText.
public import BridgecastCore

/// The drawbridges of a feed: where its shapes cross them, and their forecasts and states at one time.
public struct TransitBridges: Sendable {
    /// Where shapes cross.
    public let crossings: BridgeCrossings
    /// Forecasts and states.
    public let knowledge: BridgeKnowledge

    /// Combines the crossings of a feed with the state of the bridges now.
    public init(_ crossings: BridgeCrossings, _ knowledge: BridgeKnowledge) {
        self.crossings = crossings
        self.knowledge = knowledge
    }

    /// The drawbridges that a run still has to cross at a time, in order; none for a cancelled run.
    ///
    /// The last position of its vehicle tells which bridges are behind it, and for five minutes how late it is; without a
    /// vehicle its times do. A run that, by its times, reached a bridge that has been up ever since still waits there,
    /// however long ago its times were predicted; and so does one in the queue of an opening that is over. A raised bridge
    /// delays no run more than two minutes from ``BridgeKnowledge/issueTime``: then the forecast applies.
    ///
    /// - Parameter snapshot: Of the feed that was searched for crossings.
    /// - Complexity: O(log stops) for each bridge once the trip's path is cached; O(1) for a trip over none.
    public func ahead(
        of run: RunKey?, in snapshot: TransitSnapshot, at time: Timestamp
    ) -> [BridgeAhead] {
        ahead(of: run, in: snapshot, at: time, on: run.flatMap { snapshot.course(of: $0) })
    }

    /// The same on the run's course, for callers that have it; it is made only for runs over bridges.
    package func ahead(
        of run: RunKey?, in snapshot: TransitSnapshot, at time: Timestamp,
        on course: @autoclosure () -> RunCourse?
    ) -> [BridgeAhead] {
        guard let run, !crossings.isEmpty else { return [] }
        let onTheWay = crossings.of(run.trip, in: snapshot.feed)
        let live = snapshot.runs[run]
        guard !onTheWay.isEmpty, live?.relationship.isRunning ?? true,
            let course = course()
        else { return [] }
        let approach = BridgeApproach(
            course: course, predictions: live?.stops ?? [],
            vehicle: live?.vehicle.map { snapshot.vehicles[$0] }, updatedAt: live?.updatedAt,
            now: time, knowledge: knowledge)
        return onTheWay.compactMap(approach.ahead)
    }
}

extension TripRelationship {
    fileprivate var isRunning: Bool { self != .cancelled && self != .deleted }
}

// MARK: - Boards

extension TransitBridges {
    /// Seconds after which boards no longer keep a bus that a bridge holds: it must have taken another way.
    private static let maxHeldSeconds: Int64 = 3600

    /// The earliest time, at most an hour before, at which a run may have reached a bridge that still holds it, seconds
    /// since 1970; nil while no bridge on a route is up or has a queue, which is the usual case.
    ///
    /// - Complexity: O(openings of the last six hours).
    func earliestHeld(at now: Int64) -> Int64? {
        guard !crossings.isEmpty, knowledge.knowsQueues(at: now) else { return nil }
        let knowsStates = knowledge.knowsStates(at: now)
        return BridgeIndex.all.lazy.filter { !crossings.routes(over: $0).isEmpty }.compactMap {
            knowledge.firstHeld(by: $0, at: Double(now), knowsStates: knowsStates)
        }.min().map { max(Int64($0), now - Self.maxHeldSeconds) }
    }

    /// Whether a bridge before a stop holds a run, so that it cannot have left there.
    func holds(
        _ run: RunKey, before stopOrder: Int, in snapshot: TransitSnapshot, at now: Int64
    ) -> Bool {
        ahead(of: run, in: snapshot, at: Timestamp(secondsSinceEpoch: now)).contains {
            $0.isWaiting && $0.afterStop < stopOrder
        }
    }
}

// MARK: - One bridge

/// A drawbridge that a run still has to cross.
public struct BridgeAhead: Sendable {
    /// The source of the arrival at a bridge.
    public enum Evidence: String, Sendable {
        /// The vehicle was seen in the last five minutes, at most 300 m before the bridge.
        case vehicle
        /// Predicted times.
        case prediction
        /// The timetable.
        case timetable
    }

    /// The bridge.
    public let bridge: BridgeIndex
    /// Predicted or scheduled arrival at it, without delays at bridges before it; the time of the query for a bus that
    /// waits at it.
    public let arrival: Timestamp
    /// Index of the last stop before it among the stops of the trip.
    public let afterStop: Int
    /// Metres along the shape to the middle of the bridge.
    public let metres: Double
    /// The delay there; nil beyond the forecast.
    public let delay: DelayDistribution?
    /// Reasons for the delay; empty without a forecast.
    public let reasons: [Reason]
    /// The source of ``arrival``.
    public let evidence: Evidence
    /// Whether the bus, by ``evidence``, waits at the bridge now: it is up, or the queue of an opening that is over still
    /// holds the bus.
    ///
    /// True also for a bus that reaches a raised bridge within a minute.
    public var isWaiting = false
    /// Seconds that it has waited by its times, whose later stops do not include them; 0 unless it waits.
    public var waitedSeconds = 0.0
    /// When the bridge was raised; nil if it is not known to be up, or if the time is unknown.
    public var raisedSince: Timestamp?
    /// When it was lowered, for a bus in the queue of an opening that is over; ``delay`` is then the rest of the queue, to
    /// about half a minute.
    ///
    /// Nil otherwise.
    public var loweredAt: Timestamp?
}

extension BridgeAhead {
    /// Whether it deserves a line below a departure: the bus waits, or may well be stopped.
    ///
    /// Smaller chances apply to nearly every bus and would bury those that matter.
    package var isWorthALine: Bool {
        guard let delay, !isWaiting else { return isWaiting }
        return delay.probabilityDelayed >= Self.smallChance
            || delay.expectedSeconds >= Self.smallSeconds
    }

    /// A chance to be stopped below this, in 100, is small, unless the expected delay is a minute.
    package static let smallPerHundred = 3
    private static let smallChance = Double(smallPerHundred) / 100
    private static let smallSeconds = 60.0
}

// MARK: - Approach

/// A run on its way to its bridges at a time.
private struct BridgeApproach {
    let course: RunCourse
    let predictions: [StopPrediction]
    let knowledge: BridgeKnowledge
    /// Seconds since 1970.
    let now: Double
    /// Last position of the vehicle, metres along the line; nil if unknown or off the route.
    private let seenMetres: Double?
    /// Time of that position, seconds since 1970; nil if it is old or in the future.
    private let freshSeconds: Double?
    /// When its times were predicted, seconds since 1970; nil if unknown.
    private let updatedSeconds: Double?
    /// Whether states of bridges, which are those of the issue time, apply now.
    private let knowsStates: Bool
    /// Whether queues of openings that are over apply now.
    private let knowsQueues: Bool

    /// Ages of a fix, seconds, for which it tells how late a vehicle is; older ones tell only what is behind it.
    private static let freshAges = -90.0...300
    /// Distance before a bridge within which a vehicle is in its queue, or soon will be, metres.
    private static let queueMetres = 300.0
    /// Seconds before reaching a raised bridge within which a vehicle counts as waiting.
    private static let soonSeconds = 60.0

    init(
        course: RunCourse, predictions: [StopPrediction], vehicle: LiveVehicle?,
        updatedAt: Timestamp?, now: Timestamp, knowledge: BridgeKnowledge
    ) {
        let seconds = Double(now.secondsSinceEpoch)
        self.course = course
        self.predictions = predictions
        self.knowledge = knowledge
        self.now = seconds
        updatedSeconds = updatedAt.map { Double($0.secondsSinceEpoch) }
        knowsStates = knowledge.knowsStates(at: now.secondsSinceEpoch)
        knowsQueues = knowledge.knowsQueues(at: now.secondsSinceEpoch)
        let place = vehicle?.place.flatMap { $0.isOffRoute ? nil : $0 }
        seenMetres = place?.metres
        let seenAt = vehicle?.seenAt.map { Double($0.secondsSinceEpoch) }
        let isFresh = seenAt.map { Self.freshAges.contains(seconds - $0) }
        freshSeconds = place != nil && isFresh == true ? seenAt : nil
    }

    /// A bridge if it is ahead; nil once it is crossed, and for one beyond the trip's ends.
    func ahead(_ crossing: BridgeCrossings.Crossing) -> BridgeAhead? {
        let stops = course.geometry.stopMetres
        guard let before = course.geometry.lastStop(atMetres: crossing.metres),
            before < stops.count - 1
        else { return nil }
        let planned = course.seconds(atMetres: crossing.metres)
        let bridge = crossing.bridge
        let isNear = isSeenNear(crossing.metres)
        let isPredicted = isPredicted(after: before)
        let queue = queue(at: crossing, planned: planned, isNear: isNear, isPredicted: isPredicted)
        guard let arrival = queue == nil ? arrival(at: crossing, planned: planned) : now else {
            return nil
        }
        let raisedSince = knowsStates ? knowledge.raised(bridge) : nil
        let isUp = raisedSince != nil && (arrival - now <= Self.soonSeconds || isNear)
        let waits = isUp || queue != nil
        let time = Timestamp(secondsSinceEpoch: Int64((waits ? now : arrival).rounded()))
        let forecast = max(time, knowledge.firstForecast(time))
        let delay =
            queue.map { DelayDistribution(aboutSeconds: $0.until - now) }
            ?? knowledge.delay(at: bridge, arrival: forecast)
        return BridgeAhead(
            bridge: bridge, arrival: time, afterStop: before, metres: crossing.metres, delay: delay,
            reasons: delay.map { knowledge.reasons(for: bridge, arrival: forecast, delay: $0) }
                ?? [], evidence: isNear ? .vehicle : isPredicted ? .prediction : .timetable,
            isWaiting: waits, waitedSeconds: waits ? max(0, now - planned) : 0,
            raisedSince: raisedSince ?? nil, loweredAt: queue?.lowered)
    }

    /// Whether anything is predicted at the stops before and after a bridge.
    private func isPredicted(after stop: Int) -> Bool {
        stop + 1 < predictions.count && predictions[stop...stop + 1].contains { $0.origin != nil }
    }

    /// The arrival at a bridge, seconds since 1970, never in the past; nil once it is crossed.
    ///
    /// - Parameter planned: The arrival by the run's times.
    private func arrival(at crossing: BridgeCrossings.Crossing, planned: Double) -> Double? {
        if let seenMetres {
            if seenMetres > crossing.metres { return nil }
            if let freshSeconds {
                // It is still before the bridge, and as late there as where it was seen.
                let late = course.secondsBehind(atMetres: seenMetres, at: freshSeconds)
                return max(now, planned + late)
            }
        }
        if planned >= now { return planned }
        return knowsStates && knowledge.hold(at: crossing.bridge, from: planned) == .raised
            ? now : nil
    }

    /// The queue of an opening that is over, if it still holds the bus; nil if not, or if the bus was seen elsewhere.
    private func queue(
        at crossing: BridgeCrossings.Crossing, planned: Double, isNear: Bool, isPredicted: Bool
    ) -> (lowered: Timestamp, until: Double)? {
        guard knowsQueues, seenMetres.map({ $0 <= crossing.metres }) ?? true else { return nil }
        // A bus that is seen in the queue has reached it by then; before that its times apply.
        let latest = freshSeconds ?? now
        guard freshSeconds == nil || isNear else { return nil }
        let joined = freshSeconds == nil ? [planned] : [planned, latest]
        for joined in joined where joined <= latest {
            guard
                case .queue(let lowered, let until) = knowledge.hold(
                    at: crossing.bridge, from: joined), until > now
            else { continue }
            // A prediction made after it crossed the lowered bridge is what happened.
            let hasPassed =
                freshSeconds == nil && isPredicted && (updatedSeconds.map { $0 >= joined } ?? false)
                && joined >= Double(lowered.secondsSinceEpoch)
            return hasPassed ? nil : (lowered, until)
        }
        return nil
    }

    /// Whether it was seen just now in the queue of a bridge.
    private func isSeenNear(_ bridgeMetres: Double) -> Bool {
        guard let seenMetres, freshSeconds != nil else { return false }
        return bridgeMetres - seenMetres <= Self.queueMetres
    }
}
