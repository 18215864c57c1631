// The drawbridges that a run still has to cross: where the run is, when it comes to each, and what awaits it there.
public import BridgecastCore

extension TransitSnapshot {
    /// The drawbridges that a run still has to cross at a moment, in order; none for one that is cancelled.
    ///
    /// Where its vehicle was seen tells what lies behind it, and in the next five minutes how much later than its times it
    /// comes; where nothing is known of a vehicle, its times tell. A run that came, by its times, to a bridge which has been
    /// up ever since still waits there, however long ago its times were predicted; and so does one that the queue of an
    /// opening which is over still holds.
    ///
    /// - Parameters:
    ///   - crossings: Those of this snapshot's feed.
    ///   - knowledge: What is known of the bridges now. A bridge that is up holds nobody up at moments more than two
    ///     minutes from ``BridgeKnowledge/issueTime``: then the forecast says how it may be.
    /// - Complexity: O(log stops) for each bridge once the way of the trip is known; O(1) for a trip over none.
    public func bridgesAhead(
        of run: RunKey, at moment: Timestamp, _ crossings: BridgeCrossings,
        _ knowledge: BridgeKnowledge
    ) -> [BridgeAhead] {
        let onTheWay = crossings.of(run.trip, in: feed)
        let live = runs[run]
        guard !onTheWay.isEmpty, live?.relationship.isRunning ?? true, let course = course(of: run)
        else { return [] }
        let approach = BridgeApproach(
            course: course, predictions: live?.stops ?? [],
            vehicle: live?.vehicle.map { vehicles[$0] }, updatedAt: live?.updatedAt,
            moment: moment, knowledge: knowledge)
        return onTheWay.compactMap(approach.ahead)
    }
}

extension TripRelationship {
    /// Whether a trip of the timetable runs.
    fileprivate var isRunning: Bool { self != .cancelled && self != .deleted }
}

/// A run on its way to its bridges, at a moment.
private struct BridgeApproach {
    let course: RunCourse
    let predictions: [StopPrediction]
    let knowledge: BridgeKnowledge
    /// Seconds since 1970.
    let moment: Double
    /// Metres along the line where the vehicle was, if it was on its way.
    private let seenMetres: Double?
    /// When it was there, seconds since 1970, if that is neither long ago nor to come.
    private let freshSeconds: Double?
    /// When its times were predicted, seconds since 1970, if that is known.
    private let updatedSeconds: Double?
    /// Whether states of bridges, which are of the issue time, hold at the moment.
    private let knowsStates: Bool
    /// Whether openings that are over tell of queues at the moment.
    private let knowsQueues: Bool

    /// A fix that is older says what lies behind a vehicle, and not what lies before it.
    private static let freshAges = -90.0...300
    /// A bus that is at most so far before a bridge that is up stands in its queue or soon will, metres.
    private static let queueMetres = 300.0
    /// One that comes to it within so many seconds is told that it is up.
    private static let soonSeconds = 60.0

    init(
        course: RunCourse, predictions: [StopPrediction], vehicle: LiveVehicle?,
        updatedAt: Timestamp?, moment: Timestamp, knowledge: BridgeKnowledge
    ) {
        (self.course, self.predictions, self.knowledge) = (course, predictions, knowledge)
        self.moment = Double(moment.secondsSinceEpoch)
        updatedSeconds = updatedAt.map { Double($0.secondsSinceEpoch) }
        knowsStates = knowledge.knowsStates(at: moment.secondsSinceEpoch)
        knowsQueues = knowledge.knowsQueues(at: moment.secondsSinceEpoch)
        let place = vehicle?.place.flatMap { $0.isOffRoute ? nil : $0 }
        seenMetres = place?.metres
        let seenAt = vehicle?.seenAt.map { Double($0.secondsSinceEpoch) }
        let isFresh = seenAt.map { [now = self.moment] in Self.freshAges.contains(now - $0) }
        freshSeconds = place != nil && isFresh == true ? seenAt : nil
    }

    /// A bridge if it lies ahead; nil once it is crossed, and for one beyond the trip's ends.
    func ahead(_ crossing: BridgeCrossings.Crossing) -> BridgeAhead? {
        let stops = course.geometry.stopMetres
        guard let before = course.geometry.lastStop(atMetres: crossing.metres),
            before < stops.count - 1
        else { return nil }
        let planned = course.seconds(atMetres: crossing.metres)
        let (bridge, isNear) = (crossing.bridge, isSeenBefore(crossing.metres))
        let isPredicted = isPredicted(after: before)
        let queue = queue(crossing, planned, isNear: isNear, isPredicted: isPredicted)
        guard let arrival = queue == nil ? arrival(crossing, planned) : moment else { return nil }
        let raisedSince = knowsStates ? knowledge.raised(bridge) : nil
        let isUp = raisedSince != nil && (arrival - moment <= Self.soonSeconds || isNear)
        let waits = isUp || queue != nil
        let time = Timestamp(secondsSinceEpoch: Int64((waits ? moment : arrival).rounded()))
        let forecast = max(time, knowledge.firstForecast(time))
        let delay =
            queue.map { DelayDistribution(aboutSeconds: $0.until - moment) }
            ?? knowledge.delay(at: bridge, arrival: forecast)
        return BridgeAhead(
            bridge: bridge, arrival: time, afterStop: before, metres: crossing.metres, delay: delay,
            reasons: delay.map { knowledge.reasons(for: bridge, arrival: forecast, delay: $0) }
                ?? [],
            evidence: isNear ? .vehicle : isPredicted ? .prediction : .timetable,
            waitsNow: waits, waitedSeconds: waits ? max(0, moment - planned) : 0,
            raisedSince: raisedSince ?? nil, loweredAt: queue?.lowered)
    }

    /// Whether anything is predicted at the stops around a bridge.
    private func isPredicted(after stop: Int) -> Bool {
        stop + 1 < predictions.count && predictions[stop...stop + 1].contains { $0.origin != nil }
    }

    /// When it comes to a bridge, seconds since 1970 and never before the moment; nil once it is over it.
    ///
    /// - Parameter planned: When it comes there by its times.
    private func arrival(_ crossing: BridgeCrossings.Crossing, _ planned: Double) -> Double? {
        if let seenMetres {
            if seenMetres > crossing.metres { return nil }
            if let freshSeconds {
                // It is before the bridge yet, and as late there as where it was seen.
                let late = course.secondsBehind(atMetres: seenMetres, at: freshSeconds)
                return max(moment, planned + late)
            }
        }
        if planned >= moment { return planned }
        return knowsStates && knowledge.hold(at: crossing.bridge, from: planned) == .raised
            ? moment : nil
    }

    /// The queue of an opening that is over, if it still holds the bus; nil if it does not, or the bus was seen elsewhere.
    private func queue(
        _ crossing: BridgeCrossings.Crossing, _ planned: Double, isNear: Bool, isPredicted: Bool
    ) -> (lowered: Timestamp, until: Double)? {
        guard knowsQueues, seenMetres.map({ $0 <= crossing.metres }) ?? true else { return nil }
        // Of one that is seen in the queue it is known that it had come by then; before that its times tell.
        let latest = freshSeconds ?? moment
        guard freshSeconds == nil || isNear else { return nil }
        let joined = freshSeconds == nil ? [planned] : [planned, latest]
        for joined in joined where joined <= latest {
            guard
                case .queue(let lowered, let until) = knowledge.hold(
                    at: crossing.bridge, from: joined),
                until > moment
            else { continue }
            // What was predicted after it was over the bridge, and that was down, is what happened.
            let hasPassed =
                freshSeconds == nil && isPredicted
                && (updatedSeconds.map { $0 >= joined } ?? false)
                && joined >= Double(lowered.secondsSinceEpoch)
            return hasPassed ? nil : (lowered, until)
        }
        return nil
    }

    /// Whether it was seen just now where the queue of a bridge stands.
    private func isSeenBefore(_ metres: Double) -> Bool {
        guard let seenMetres, freshSeconds != nil else { return false }
        return metres - seenMetres <= Self.queueMetres
    }
}
