// The checks of `bridgecast doctor`: what is wrong or odd with a store, and what to do about it.
public import BridgecastCore
public import Foundation

extension HistoryStore {
    /// Records are published about a day late; a sync should not be older than this, days.
    private static let maxSyncDays = 3.0

    /// Checks everything that can be wrong with a store.
    ///
    /// - Returns: At least one finding per subject, also for a store that cannot be opened.
    public static func check(_ url: URL, at now: Timestamp) -> [StoreFinding] {
        if let exists = try? StoreFile(url: url).exists(), !exists || !isThere(url) {
            return [
                StoreFinding(
                    severity: .warning, subject: "file",
                    finding: "there is no store at \(url.path)",
                    advice: "run `bridgecast sync` or `bridgecast ingest`; until then the shipped "
                        + "records are used")
            ]
        }
        return check(at: now) { () throws(HistoryStoreError) in try HistoryStore(url, .reading) }
    }

    /// Checks a store, wherever it is.
    ///
    /// - Parameter open: Opens it for reading.
    package static func check(
        at now: Timestamp, _ open: () throws(HistoryStoreError) -> HistoryStore
    ) -> [StoreFinding] {
        do throws(HistoryStoreError) {
            let store = try open()
            defer { store.close() }
            return try store.checkBackend() + store.checkContents(at: now)
        } catch {
            return [
                StoreFinding(
                    severity: .error, subject: "file", finding: error.reason,
                    advice: error.problem.advice)
            ]
        }
    }

    private func checkBackend() throws(HistoryStoreError) -> [StoreFinding] {
        let problems = try integrityProblems()
        let damage = problems.map {
            StoreFinding(
                severity: .error, subject: "integrity", finding: $0,
                advice: "stop what writes to it and restore a backup; records can be synced again")
        }
        let findings = try HistoryStoreError.about(path, access) { try backend.findings() }
        return (damage.isEmpty ? [.ok("integrity", backend.soundness)] : damage)
            + findings
    }

    private func checkContents(at now: Timestamp) throws(HistoryStoreError) -> [StoreFinding] {
        let contents = try contents()
        return try reading { database in
            try checkOdd(database, now) + checkSync(database, now) + checkLive(database, now)
                + checkBridges(contents, now)
        }
    }

    private func checkOdd(
        _ database: any HistoryDatabase, _ now: Timestamp
    ) throws -> [StoreFinding] {
        func count(_ sql: String, _ arguments: [StoreValue] = []) throws -> Int64 {
            try database.firstRow("SELECT count(*) FROM \(sql)", arguments)?.integer(0) ?? 0
        }
        var findings: [StoreFinding] = []
        let known = BridgeCatalogue.seattle.map { "\($0.id)" }.joined(separator: ",")
        let all =
            "(SELECT bridge, start FROM opening UNION ALL SELECT bridge, start FROM syncedRow"
            + " UNION ALL SELECT bridge, start FROM observedOpening) AS openings"
        let foreign = try count("\(all) WHERE bridge NOT IN (\(known))")
        if foreign > 0 {
            findings.append(
                .warning(
                    "bridges", "\(foreign) openings of bridges this version does not know",
                    "a newer version may have written them; they are not used"))
        }
        let future = try count(
            "\(all) WHERE start > $1", [.integer(now.adding(seconds: 300).secondsSinceEpoch)])
        if future > 0 {
            findings.append(
                .warning(
                    "times", "\(future) openings are in the future",
                    "check this machine's clock; forecasts use only the past"))
        }
        let doubtful = try count("observedOpening WHERE startIsKnown = 0")
        if doubtful > 0 {
            findings.append(
                .ok(
                    "times", "\(doubtful) observed openings started unseen; they are kept, not used"
                ))
        }
        return findings.isEmpty ? [.ok("times", "every opening is in the past")] : findings
    }

    private func checkSync(
        _ database: any HistoryDatabase, _ now: Timestamp
    ) throws -> [StoreFinding] {
        let findings = try database.rows("SELECT name, completedAt FROM feed ORDER BY name")
            .compactMap { try checkFeed($0, now) }
        guard findings.isEmpty else { return findings }
        return [.warning("sync", "no data set has been synced", "run `bridgecast sync`, daily")]
    }

    private func checkFeed(_ row: StoreRow, _ now: Timestamp) throws -> StoreFinding {
        let name = try row.text(0) ?? "?"
        guard let completed = try row.optionalTime(1) else {
            return .warning(
                "sync", "\(name) has never been read to its end",
                "run `bridgecast sync`: it continues where it stopped")
        }
        let days = now.minutes(since: completed) / 1440
        return days > Self.maxSyncDays
            ? .warning(
                "sync", "\(name) was last synced \(Int(days)) days ago", "run `bridgecast sync`"
            )
            : .ok(
                "sync", "\(name) was synced \(String(format: "%.1f", max(0, days) * 24)) h ago")
    }

    private func checkLive(
        _ database: any HistoryDatabase, _ now: Timestamp
    ) throws -> [StoreFinding] {
        let newest = try database.firstRow(#"SELECT max("end") FROM observedPeriod"#)
        guard let last = try newest?.optionalTime(0) else {
            return [
                .warning(
                    "live", "nothing has been observed",
                    "run `bridgecast watch`: without it forecasts know no bridge's state")
            ]
        }
        let minutes = now.minutes(since: last)
        if minutes < -5 {
            return [
                .warning(
                    "live", "the last observation is \(Int(-minutes)) min in the future",
                    "the clock was set back; `bridgecast watch` corrects the coverage")
            ]
        }
        return [.ok("live", "last observation \(Int(max(0, minutes))) min ago")]
    }

    private func checkBridges(_ contents: Contents, _ now: Timestamp) -> [StoreFinding] {
        BridgeIndex.all.map { bridge in
            let name = BridgeCatalogue[bridge].name
            let openings = contents.openings[bridge.rawValue]
            let days = contents.coverage.minutes(of: bridge) / 1440
            guard let end = contents.coverage.end(of: bridge, before: now) else {
                return .warning(
                    name, "no coverage: \(openings.count) openings, none of which is reliable",
                    "state what is complete with `bridgecast ingest --coverage`, or sync")
            }
            let both = openings.count { $0.witnesses.count == 2 }
            let seen = openings.count { $0.witnesses == [.observed] }
            return .ok(
                name,
                "\(openings.count) openings on \(Int(days)) covered days up to "
                    + "\(TimeText.rfc3339(end)); \(seen) only observed, \(both) both observed "
                    + "and recorded")
        }
    }
}

extension StoreProblem {
    /// What to do, where the description does not say it.
    fileprivate var advice: String? {
        switch self {
        case .damaged:
            "move a file and the -wal and -shm next to it away, or rename the schema of a database; then restore a backup "
                + "(`bridgecast history backup` makes them), or sync again"
        case .foreign: "name another one with --store, or move this one away if it is not needed"
        default: nil
        }
    }
}

/// A result of a check.
public struct StoreFinding: Sendable, Codable, Equatable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Codable {
        /// Nothing is wrong.
        case ok
        /// Odd, or a reason why forecasts are worse than they could be.
        case warning
        /// Damaged or useless until it is repaired.
        case error
    }

    /// The severity.
    public var severity: Severity
    /// What was checked.
    public var subject: String
    /// What was found.
    public var finding: String
    /// What to do; nil if nothing.
    public var advice: String?

    /// Creates a finding.
    public init(severity: Severity, subject: String, finding: String, advice: String? = nil) {
        self.severity = severity
        self.subject = subject
        self.finding = finding
        self.advice = advice
    }

    package static func ok(_ subject: String, _ finding: String) -> StoreFinding {
        StoreFinding(severity: .ok, subject: subject, finding: finding, advice: nil)
    }

    package static func warning(
        _ subject: String, _ finding: String, _ advice: String
    ) -> StoreFinding {
        StoreFinding(severity: .warning, subject: subject, finding: finding, advice: advice)
    }
}
