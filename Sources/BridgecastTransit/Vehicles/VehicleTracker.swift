// Where vehicles were, so that they go forwards; and how late routes have been, so that something can be said where the
// feed is silent.
// Belongs here: vehicles on their way: matching, dead reckoning, predictions of our own; not: boards.
package import BridgecastCore

/// Remembers vehicles and lateness from one message to the next.
public struct VehicleTracker: Sendable {
    /// Vehicles that are remembered; of more, those unseen the longest are forgotten.
    static let mostVehicles = 50_000
    /// A vehicle that was silent for so many seconds is followed anew.
    static let mostSilentSeconds = 1800.0
    /// Lateness is learned from a run this often, so that vehicles that report often do not count for more.
    static let learningSeconds = 300.0
    /// Who is so much off the timetable is on another run than it says.
    static let mostLatenessSeconds = 7200.0

    /// What was learned of lateness.
    public private(set) var lateness = LatenessTable()
    /// How good predictions were, by what vehicles did.
    public private(set) var scores = PredictionScores()
    private var vehicles: [String: FollowedVehicle] = [:]
    /// When each run's lateness was learned from the feed's own word, seconds since 1970.
    private var learnedRuns: [RunKey: Double] = [:]
    /// When those were forgotten of which may be learned again.
    private var forgottenAt = -Double.infinity

    /// Nothing seen yet.
    public init() {}

    /// Where a vehicle is along the way of its run, and learns how late it is; nil without coordinates or a way.
    ///
    /// - Parameters:
    ///   - vehicle: What tells it from others: its own identifier, or its entity's.
    ///   - seenAt: When it was there; the moment of asking where nobody says.
    /// - Complexity: O(points of its line near it).
    package mutating func match(
        _ report: VehicleReport, vehicle: String, on run: RunKey, seenAt: Timestamp,
        in feed: TransitFeed
    ) -> VehiclePlace? {
        guard let point = report.point, let geometry = feed.geometry(of: run.trip) else {
            return nil
        }
        let seconds = Double(seenAt.secondsSinceEpoch)
        var followed = followed(vehicle, on: run, at: seconds, in: feed)
        if let last = followed.track.lastFix, let place = followed.track.lastPlace,
            seconds < last.seconds || (seconds == last.seconds && point == last.point)
        {
            return place
        }
        let fix = VehicleFix(point: point, seconds: seconds, bearing: report.bearingUnderWay)
        let place = followed.take(fix, report, on: geometry, of: run.trip, in: feed)
        learn(from: &followed, place, at: seconds, of: run, on: geometry, in: feed)
        vehicles[vehicle] = followed
        if vehicles.count > Self.mostVehicles { forgetTheOldest() }
        return place
    }

    /// How late a run is, by the feed's own word: learned once in five minutes.
    package mutating func learn(
        delaySeconds: Int, of run: RunKey, at moment: Timestamp, in feed: TransitFeed
    ) {
        let seconds = Double(moment.secondsSinceEpoch)
        guard abs(Double(delaySeconds)) <= Self.mostLatenessSeconds,
            seconds - (learnedRuns[run] ?? -.infinity) >= Self.learningSeconds
        else { return }
        if learnedRuns.count >= Self.mostVehicles, abs(seconds - forgottenAt) >= 60 {
            // Once a minute: what looks at all must not be done for each.
            learnedRuns = learnedRuns.filter { seconds - $0.value < Self.learningSeconds }
            forgottenAt = seconds
        }
        guard learnedRuns.count < Self.mostVehicles else { return }
        learnedRuns[run] = seconds
        let hour = Self.hour(
            seconds - Double(feed.zone.serviceDayStart(run.date).secondsSinceEpoch))
        lateness.learn(lateness: Double(delaySeconds), of: feed.route(of: run.trip), hour: hour)
    }

    /// Our own predictions of a run from where its vehicle is, by stop of its trip; empty where the vehicle is off
    /// its route or so late that it must be on another run.
    ///
    /// - Parameter seenAt: When the vehicle was at its place.
    /// - Complexity: O(stops).
    package func predictions(
        for run: RunKey, from place: VehiclePlace, seenAt: Timestamp, in feed: TransitFeed
    ) -> [StopPrediction] {
        guard !place.isOffRoute, let geometry = feed.geometry(of: run.trip) else { return [] }
        let start = feed.startOfTimes(of: run)
        let since = Double(seenAt.secondsSinceEpoch - start.secondsSinceEpoch)
        let late = feed.lateness(
            of: run.trip, on: geometry, atMetres: place.metres, seconds: since)
        guard abs(late) <= Self.mostLatenessSeconds else { return [] }
        return ArrivalPredictor(feed: feed, run: run, start: start, lateness: lateness)
            .predictions(on: geometry, atMetres: place.metres, seconds: since, late: late)
    }

    /// The hour of the day, 0...23, so many seconds after a service day began.
    static func hour(_ seconds: Double) -> Int {
        Int(min(max(seconds, 0), 1e6)) / 3600 % 24
    }

    private func followed(
        _ vehicle: String, on run: RunKey, at seconds: Double, in feed: TransitFeed
    ) -> FollowedVehicle {
        if let known = vehicles[vehicle], known.run == run, let last = known.track.lastFix,
            abs(seconds - last.seconds) <= Self.mostSilentSeconds
        {
            return known
        }
        return FollowedVehicle(
            run: run, startSeconds: Double(feed.startOfTimes(of: run).secondsSinceEpoch))
    }

    private mutating func learn(
        from followed: inout FollowedVehicle, _ place: VehiclePlace, at seconds: Double,
        of run: RunKey, on geometry: RunGeometry, in feed: TransitFeed
    ) {
        guard !place.isOffRoute, seconds - followed.learnedAt >= Self.learningSeconds else {
            return
        }
        let since = seconds - followed.startSeconds
        let late = feed.lateness(
            of: run.trip, on: geometry, atMetres: place.metres, seconds: since)
        // Who waits for the beginning of its trip, or has ended it, tells nothing.
        guard abs(late) <= Self.mostLatenessSeconds, place.metres < geometry.lastStopMetres,
            !feed.waitsToBegin(run.trip, on: geometry, atMetres: place.metres, seconds: since)
        else { return }
        let (route, hour) = (feed.route(of: run.trip), Self.hour(since))
        lateness.learn(lateness: late, of: route, hour: hour)
        for earlier in followed.lateness {
            let (change, ahead) = (late - earlier.late, seconds - earlier.seconds)
            // Scored before it is learned from.
            let expected = lateness.change(in: ahead, of: route, hour: hour).mean
            scores.own.add(errorSeconds: change - expected)
            scores.timetable.add(errorSeconds: late)
            lateness.learn(change: change, in: ahead, of: route, hour: hour)
        }
        followed.note(late, at: seconds)
    }

    private mutating func forgetTheOldest() {
        let seen = vehicles.values.compactMap { $0.track.lastFix?.seconds }.sorted()
        let bound = seen[seen.count / 4]
        vehicles = vehicles.filter { ($0.value.track.lastFix?.seconds ?? 0) > bound }
    }
}
