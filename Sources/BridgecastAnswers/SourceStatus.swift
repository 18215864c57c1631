// Where what is known comes from, and how old it is: a feed, the records, a file. Part of every document's envelope.
package import BridgecastCore
package import BridgecastObservation

/// A source of what is known, as it stands when a document is made.
package struct SourceStatus: Sendable, Equatable, JSONAnswer {
    /// Its name.
    package let id: String
    /// When it last said something; nil before the first time, or if it says so itself nowhere.
    package let fetchedAt: Timestamp?
    /// Seconds since then; nil if nothing was fetched.
    package let ageSeconds: Double?
    /// Whether what it said is too old to be used.
    package let isStale: Bool
    /// What is wrong with it; nil if nothing is.
    package let problem: String?

    /// Creates a status.
    package init(
        id: String, fetchedAt: Timestamp?, ageSeconds: Double?, isStale: Bool, problem: String?
    ) {
        (self.id, self.fetchedAt, self.ageSeconds) = (id, fetchedAt, ageSeconds)
        (self.isStale, self.problem) = (isStale, problem.map { printable($0, most: 300) })
    }

    /// A feed as it stands at a moment.
    ///
    /// - Parameters:
    ///   - isPublic: Whether strangers read it, who are told of no addresses and paths.
    ///   - limitMinutes: The age from which on what it said is not used any more.
    package init(
        _ feed: FeedStatus, at now: Timestamp, isPublic: Bool = false,
        staleAfterMinutes limitMinutes: Double = LiveSnapshot.stalenessMinutes
    ) {
        let age = feed.fetchedAt.map { max(0, now.minutes(since: $0)) }
        self.init(
            id: feed.id, fetchedAt: feed.fetchedAt, ageSeconds: age.map { $0 * 60 },
            isStale: age.map { $0 > limitMinutes } ?? true,
            problem: isPublic ? feed.publicProblem : feed.problem)
    }

    /// The records as they stand at a moment: how far they reach is when they last said something.
    package init(records history: OpeningHistory, at moment: Timestamp) {
        let newest = BridgeIndex.all.compactMap { history.coverage.end(of: $0, before: moment) }
            .max()
        self.init(
            id: "records", fetchedAt: newest,
            ageSeconds: newest.map { moment.minutes(since: $0) * 60 },
            isStale: newest.map { !LiveSnapshot.freshness.holds($0, at: moment) } ?? true,
            problem: nil)
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("fetched_at", fetchedAt)
            json.field("age_s", ageSeconds, decimals: 1)
            json.field("stale", isStale)
            json.field("error", problem)
        }
    }
}
