// What was known at an issue time, and from where: the store, the shipped records, a live file. Used by ForecastContext.
import BridgecastAnswers
import BridgecastCore
import BridgecastData
import BridgecastStore
import Foundation

/// Where the situation at issue time comes from.
struct SituationSource {
    private let history: OpeningHistory
    private let live: LiveSnapshot?
    /// For people: which records.
    let name: String

    /// Reads the store (a named one, or the user's if there is one), completed by the shipped records where it
    /// does not cover a bridge, and the live file.
    ///
    /// Without a live file, what `watch` has stored in the last minutes is what is known now.
    init(_ store: StoreOptions, _ liveFile: String?, at now: Timestamp) throws {
        let stated = try liveFile.map { try LiveFile.read(URL(fileURLWithPath: $0)) }
        guard let opened = try store.existingIfAny() else {
            live = stated
            history = try LoadedRecords.shipped().history
            name = "the shipped ones"
            return
        }
        defer { opened.close() }
        history = try LoadedRecords.completing(try opened.history())
        name =
            "those of \(opened.path)" + (ShippedFiles.home() == nil ? "" : " and the shipped ones")
        live =
            try stated
            ?? opened.resumedTracker(at: now, within: Int64(LiveSnapshot.stalenessMinutes * 60))
            .snapshot
    }

    /// What is known at a moment, with notes on what is missing.
    func situation(at issueTime: Timestamp) -> (situation: Situation, notes: [String]) {
        var notes: [String] = []
        var situation = SituationReader(history).situation(at: issueTime)
        if let live {
            if live.isFresh(at: issueTime) {
                situation = situation.applying(live)
            } else {
                notes.append(
                    "the live states are of \(live.asOf.map(TimeText.rfc3339) ?? "?"), more than "
                        + "\(Int(LiveSnapshot.stalenessMinutes)) minutes before the issue time or after it: they are not used"
                )
            }
        }
        if situation.bridges.allSatisfy({ $0.state == .unknown }) {
            notes.append(
                "no bridge's state is known at \(TimeText.rfc3339(issueTime)): the records "
                    + "(\(name)) \(newestText(before: issueTime)). The forecast is climatology; "
                    + "run watch or give --live, and sync newer records")
        }
        return (situation, notes)
    }

    /// The records, and what was read live, as they stand at a moment.
    func statuses(at moment: Timestamp) -> [SourceStatus] {
        let records = SourceStatus(records: history, at: moment)
        guard let live else { return [records] }
        return [
            records,
            SourceStatus(
                id: "live", fetchedAt: live.asOf,
                ageSeconds: live.asOf.map { moment.minutes(since: $0) * 60 },
                isStale: !live.isFresh(at: moment), problem: nil),
        ]
    }

    private func newest(before moment: Timestamp) -> Timestamp? {
        BridgeIndex.all.compactMap { history.coverage.end(of: $0, before: moment) }.max()
    }

    private func newestText(before moment: Timestamp) -> String {
        guard let newest = newest(before: moment).map(TimeText.rfc3339) else {
            return "hold nothing before that"
        }
        let goOn = history.coverage.periods.contains { $0.contains { $0.lowerBound > moment } }
        return goOn ? "have a gap there, from \(newest) on" : "end \(newest)"
    }
}
