// What a live service keeps up to date beside the bridges: traffic, the records of a new day, and the store.
internal import Bridgecast
internal import BridgecastData
internal import BridgecastStore
internal import Logging

extension LiveService {
    /// Observation reaches the store at least this often, seconds.
    private static let storeSeconds: Int64 = 60
    /// Traffic is requested this often on a good network, seconds: on a bad one the bridges come first.
    private static let trafficSeconds = 90.0

    /// Requests traffic if that is due; the status of a feed that fails says so.
    func updateTraffic() async {
        guard !parts.traffic.isEmpty,
            parts.clock.havePassed(
                Self.trafficSeconds * health.condition.intervalFactor, since: trafficAtSeconds)
        else { return }
        trafficAtSeconds = parts.clock.monotonicSeconds
        for feed in parts.traffic {
            do {
                let readings = try await feed.readings()
                let bad = traffic.add(readings)
                let newest = readings.map(\.measuredAt).max()
                let problem = bad.isEmpty ? nil : "\(bad.count) measurements are out of range"
                await show(
                    feed: FeedStatus(
                        id: feed.name, fetchedAt: newest, problem: problem, publicProblem: problem))
            } catch {
                parts.log.warning(
                    "feed failed", metadata: ["feed": "\(feed.name)", "reason": "\(error)"])
                await show(
                    feed: FeedStatus(
                        id: feed.name, fetchedAt: nil, problem: "\(error)",
                        publicProblem: FeedError.publicDescription(of: error)))
            }
        }
    }

    /// Takes over the records of a new day; if they cannot be read, those of the day before serve.
    func updateRecords(_ now: Timestamp) async {
        do {
            try await forecaster.useRecords(at: now, from: parts.records)
        } catch {
            parts.log.error("records not read", metadata: ["reason": "\(error)"])
            await show(
                feed: FeedStatus(
                    id: "records", fetchedAt: nil, problem: "\(error)",
                    publicProblem: "the records cannot be read"))
        }
    }

    /// Stores what a reading brought, if that is due or the reading ended something.
    func store(_ step: BridgeTracker.Step, _ now: Timestamp) async {
        guard let store = parts.store else { return }
        let isDue =
            storedAt.map { abs(now.secondsSinceEpoch - $0.secondsSinceEpoch) >= Self.storeSeconds }
            ?? true
        guard isDue || !step.openings.isEmpty || step.cut != nil else { return }
        do {
            try await store.recordInBackground(step)
            storedAt = now
            if shown.feeds.first(where: { $0.id == "store" })?.problem != nil {
                parts.diagnostics?.noteRecovery(of: "store")
            }
            await show(feed: FeedStatus(id: "store", fetchedAt: now, problem: nil))
        } catch {
            // A full disk fails at every reading: logged once, then with the total at the end.
            if counts.storeProblem != "\(error)" {
                parts.log.error("store failed", metadata: ["reason": "\(error)"])
            }
            counts.unstored += 1
            counts.storeProblem = "\(error)"
            let result = Self.storeRecovery.result(after: error, failures: 1)
            parts.diagnostics?.note(error, error.reason, from: "store", result, at: now)
            await show(
                feed: FeedStatus(
                    id: "store", fetchedAt: storedAt, problem: "\(error)",
                    publicProblem: "what is seen cannot be stored"))
        }
    }
}
