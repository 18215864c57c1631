// What a live service asks and feeds beside the bridges: traffic, the records of the day, the store.
internal import Bridgecast
internal import BridgecastData
internal import BridgecastStore
internal import Logging

extension LiveService {
    /// Observation reaches the store at least this often, seconds.
    private static let storeSeconds: Int64 = 60
    /// Traffic is asked for this often, seconds.
    private static let trafficSeconds: Int64 = 90

    /// Asks the feeds of traffic, if that is due; one that fails says so beside its name.
    func updateTraffic(_ now: Timestamp) async {
        guard !parts.traffic.isEmpty,
            trafficAt.map({ now.secondsSinceEpoch - $0.secondsSinceEpoch >= Self.trafficSeconds })
                ?? true
        else { return }
        trafficAt = now
        for feed in parts.traffic {
            do {
                let readings = try await feed.readings()
                let bad = traffic.add(readings)
                let newest = readings.map(\.measuredAt).max()
                let problem = bad.isEmpty ? nil : "\(bad.count) measurements make no sense"
                await app.set(
                    feed: FeedStatus(
                        id: feed.name, fetchedAt: newest, problem: problem,
                        publicProblem: problem))
            } catch {
                parts.log.warning(
                    "feed failed", metadata: ["feed": "\(feed.name)", "reason": "\(error)"])
                await app.set(
                    feed: FeedStatus(
                        id: feed.name, fetchedAt: nil, problem: "\(error)",
                        publicProblem: FeedError.publicWords(of: error)))
            }
        }
    }

    /// Takes over the records of a new day; if they cannot be read, those of the day before serve.
    func updateRecords(_ now: Timestamp) async {
        let today = SeattleTime.civil(at: now).date
        guard recordsOf != today else { return }
        do {
            await forecaster.use(try parts.records(now))
            recordsOf = today
        } catch {
            parts.log.error("records not read", metadata: ["reason": "\(error)"])
            await app.set(
                feed: FeedStatus(
                    id: "records", fetchedAt: nil, problem: "\(error)",
                    publicProblem: "the records cannot be read"))
        }
    }

    /// Stores what a reading brought, if that is due or more than time has passed.
    func store(_ step: BridgeTracker.Step, _ now: Timestamp) async {
        guard let store = parts.store else { return }
        let isDue =
            storedAt.map { abs(now.secondsSinceEpoch - $0.secondsSinceEpoch) >= Self.storeSeconds }
            ?? true
        guard isDue || !step.openings.isEmpty || step.cut != nil else { return }
        do {
            try store.record(step)
            storedAt = now
            await app.set(feed: FeedStatus(id: "store", fetchedAt: now, problem: nil))
        } catch {
            // A full disk fails at every reading: it is told once, and at the end how often.
            if counts.storeProblem != "\(error)" {
                parts.log.error("store failed", metadata: ["reason": "\(error)"])
            }
            counts.unstored += 1
            counts.storeProblem = "\(error)"
            await app.set(
                feed: FeedStatus(
                    id: "store", fetchedAt: storedAt, problem: "\(error)",
                    publicProblem: "what is seen cannot be stored"))
        }
    }
}
