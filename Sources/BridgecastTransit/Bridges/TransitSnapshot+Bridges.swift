// The drawbridges that a run still has to cross: where the run is, when it comes to each, and what awaits it there.
public import BridgecastCore

extension TransitSnapshot {
    /// The drawbridges that a run still has to cross at a moment, in order; none for one that is cancelled.
    ///
    /// Where its vehicle was seen tells what lies behind it, and in the next five minutes how much later than its times it
    /// comes; where nothing is known of a vehicle, its times tell. A run that came, by its times, to a bridge which has been
    /// up ever since still waits there, however long ago its times were predicted.
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
            vehicle: live?.vehicle.map { vehicles[$0] }, moment: moment, knowledge: knowledge)
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
    /// Whether states of bridges, which are of the issue time, hold at the moment.
    private let knowsStates: Bool

    /// A fix that is older says what lies behind a vehicle, and not what lies before it.
    private static let freshAges = -90.0...300
    /// A bus that is at most so far before a bridge that is up stands in its queue or soon will, metres.
    private static let queueMetres = 300.0
    /// One that comes to it within so many seconds is told that it is up.
    private static let soonSeconds = 60.0
    /// What is known of the bridges holds so many seconds before and after it was known.
    private static let stateSeconds: Int64 = 120

    init(
        course: RunCourse, predictions: [StopPrediction], vehicle: LiveVehicle?,
        moment: Timestamp, knowledge: BridgeKnowledge
    ) {
        (self.course, self.predictions, self.knowledge) = (course, predictions, knowledge)
        self.moment = Double(moment.secondsSinceEpoch)
        let age = moment.secondsSinceEpoch - knowledge.issueTime.secondsSinceEpoch
        knowsStates = abs(age) <= Self.stateSeconds
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
            before < stops.count - 1, let arrival = arrival(crossing)
        else { return nil }
        let bridge = crossing.bridge
        let raisedSince = knowsStates ? knowledge.raised(bridge) : nil
        let isNear = isSeenBefore(crossing.metres)
        let waits = raisedSince != nil && (arrival - moment <= Self.soonSeconds || isNear)
        let time = Timestamp(secondsSinceEpoch: Int64((waits ? moment : arrival).rounded()))
        let delay = knowledge.delay(at: bridge, arrival: max(time, firstForecast(time)))
        return BridgeAhead(
            bridge: bridge, arrival: time, afterStop: before, metres: crossing.metres, delay: delay,
            reasons: delay == nil ? [] : knowledge.reasons(for: bridge, arrival: time),
            evidence: isNear ? .vehicle : isPredicted(after: before) ? .prediction : .timetable,
            waitsNow: waits,
            waitedSeconds: waits ? max(0, moment - course.seconds(atMetres: crossing.metres)) : 0,
            raisedSince: raisedSince ?? nil)
    }

    /// Whether anything is predicted at the stops around a bridge.
    private func isPredicted(after stop: Int) -> Bool {
        stop + 1 < predictions.count && predictions[stop...stop + 1].contains { $0.origin != nil }
    }

    /// When it comes to a bridge, seconds since 1970 and never before the moment; nil once it is over it.
    private func arrival(_ crossing: BridgeCrossings.Crossing) -> Double? {
        let planned = course.seconds(atMetres: crossing.metres)
        if let seenMetres {
            if seenMetres > crossing.metres { return nil }
            if let freshSeconds {
                // It is before the bridge yet, and as late there as where it was seen.
                let late = course.secondsBehind(atMetres: seenMetres, at: freshSeconds)
                return max(moment, planned + late)
            }
        }
        if planned >= moment { return planned }
        guard knowsStates, case .some(.some(let since)) = knowledge.raised(crossing.bridge),
            Double(since.secondsSinceEpoch) <= planned
        else { return nil }
        return moment
    }

    /// Whether it was seen just now where the queue of a bridge stands.
    private func isSeenBefore(_ metres: Double) -> Bool {
        guard let seenMetres, freshSeconds != nil else { return false }
        return metres - seenMetres <= Self.queueMetres
    }

    /// The moment itself, or that of the first forecast where the forecasts are a little newer.
    private func firstForecast(_ time: Timestamp) -> Timestamp {
        let lead = knowledge.issueTime.secondsSinceEpoch - time.secondsSinceEpoch
        return lead > 0 && lead <= Self.stateSeconds ? knowledge.issueTime : time
    }
}
