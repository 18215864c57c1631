// `bridgecast verify`: what became of the forecasts that were issued.
import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastData
import BridgecastStore
internal import BridgecastSupport
import BridgecastTraining
import Foundation

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Scores the forecasts that were issued: skill, calibration, delays.",
        discussion: """
            `serve` and `watch` archive a forecast of all bridges every five minutes. A forecast is scored once the hour \
            after its arrival was observed, or is in the records; others are counted. Nothing in the archive is changed.
            """)

    @Option(
        name: .long,
        help: "The archive. Default: archive.sqlite next to the store.")
    var archive: String?

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long,
        help: "Days of issue times, that of the newest forecast the last. Default: 7, 30 and 365.")
    var days: Int?

    @Option(name: .long, help: "Output: text or json.")
    var format = VerifyFormat.text

    /// `--format`.
    enum VerifyFormat: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    func validate() throws {
        guard days.map({ (1...36_500).contains($0) }) ?? true else {
            throw ValidationError("--days: 1 to 36500")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let url =
                try archive.map { URL(fileURLWithPath: $0) }
                ?? ForecastArchive.url(nextTo: store.neighbour())
            guard try HistoryStore.fileExists(at: url) else {
                throw CommandFailure(
                    .missingInput,
                    "\(url.path): there is no such archive; `bridgecast serve`, `watch` and `replay --archive` create one"
                )
            }
            let archive = try ForecastArchive(reading: url)
            defer { archive.close() }
            let report = try archive.report(
                of: try outcomes(archive), at: try now(archive),
                windowDays: days.map { [$0] } ?? VerificationReport.windowDays,
                reference: SkillReference.shipped)
            switch format {
            case .json: try Console.print(document(report).jsonText())
            case .text: try Console.print(VerificationText.text(report))
            }
        }
    }

    /// A replay is scored by the shipped records, unless a store is named.
    private func outcomes(_ archive: ForecastArchive) throws -> OpeningHistory {
        if archive.kind == .replay, !store.isNamed {
            return try LoadedRecords.shipped().history.doubtingEdgeStarts
        }
        if case .file(let path) = try store.location(), try !HistoryStore.fileExists(at: path) {
            throw CommandFailure(
                .missingInput,
                "\(path.path): there is no such store, and nothing else has the outcomes; "
                    + "`serve` and `watch` keep them unless --no-store is given, `sync` fetches them"
            )
        }
        let history = try store.existing()
        defer { history.close() }
        return try history.history().doubtingEdgeStarts
    }

    /// The present; for a replay the time at which the outcomes of its last forecasts are known.
    private func now(_ archive: ForecastArchive) throws -> Timestamp {
        guard archive.kind == .replay, let last = try archive.extent()?.upperBound else {
            return .now
        }
        let lead = ArchivedIssue.leadsMinutes.max() ?? 0
        return last.adding(minutes: lead).adding(seconds: OpeningHistory.outcomeSeconds)
    }

    private func document(_ report: VerificationReport) -> VerificationDocument {
        VerificationDocument(
            report,
            Envelope(
                generatedAt: .now, issueTime: nil, validAt: report.madeAt, model: nil,
                weightFormat: nil, sources: [], warnings: []))
    }
}

// MARK: - Text

/// The scores as tables.
private enum VerificationText {
    static func text(_ report: VerificationReport) -> String {
        let period = report.issueTimes.map {
            " from \(TimeText.rfc3339($0.lowerBound)) to \(TimeText.rfc3339($0.upperBound))"
        }
        var parts = [
            "Forecasts issued\(period ?? "")",
            windows(report.windows)
                + "\n  uncovered: the hour from the arrival on is neither observed nor in records",
        ]
        if report.isReplay { parts.insert("note: " + VerificationDocument.replayWarning, at: 1) }
        // The window of a month, where there are several.
        let detailed = report.windows.first { $0.days >= 30 } ?? report.windows.last
        if let detailed, detailed.total.scored > 0 {
            parts.append("The last \(detailed.days) days, by lead\n\n" + leads(detailed))
            parts.append("By bridge\n\n" + bridges(detailed))
            parts.append("Chance of being stopped: forecast and happened\n\n" + bins(detailed))
            parts.append("By model\n\n" + models(detailed))
        }
        if let drift = report.drift { parts.append(sentence(drift)) }
        return parts.joined(separator: "\n\n")
    }

    private static let header = [
        "cases", "pending", "uncovered", "stopped", "log loss", "skill", "Brier", "cal. error",
        "raised: skill", "delays", "<= q50", "<= q80", "<= q95",
    ]

    private static func table(_ name: String, _ rows: [(String, ScoreSums)]) -> String {
        var table = TextTable(
            [name] + header, [.left] + Array(repeating: .right, count: header.count))
        for (name, sums) in rows { table.add([name] + cells(sums)) }
        return table.text(indent: "  ")
    }

    private static func cells(_ sums: ScoreSums) -> [String] {
        func number(_ value: Double?, _ decimals: Int) -> String {
            value.map { fixed($0, decimals) } ?? "-"
        }
        let shares = sums.delayCoverage?.map(share) ?? ScoreSums.levels.map { _ in "-" }
        return [
            "\(sums.scored)", "\(sums.pending)", "\(sums.uncovered)",
            sums.stopped.rate.map(share) ?? "-",
            number(sums.stopped.meanLogLoss, 4), number(sums.stopped.logLossSkill, 3),
            number(sums.stopped.brierScore, 4), number(sums.stopped.calibrationError, 4),
            number(sums.raised.logLossSkill, 3), "\(sums.delays)",
        ] + shares
    }

    /// A share of what was counted, which may be none of it.
    private static func share(_ value: Double) -> String { value == 0 ? "0 %" : percent(value) }

    private static func windows(_ windows: [VerificationReport.Window]) -> String {
        table("days", windows.map { ("\($0.days)", $0.total) })
    }

    private static func leads(_ window: VerificationReport.Window) -> String {
        table(
            "lead",
            zip(ArchivedIssue.leadsMinutes, window.byLead).map { ("\(Int($0)) min", $1) })
    }

    private static func bridges(_ window: VerificationReport.Window) -> String {
        table(
            "bridge", zip(BridgeIndex.all, window.byBridge).map { (BridgeCatalogue[$0].name, $1) })
    }

    private static func models(_ window: VerificationReport.Window) -> String {
        table(
            "model",
            window.byModel.map { model, sums in
                ("\(printable(model.file, maxLength: 40)) \(model.sha256.prefix(12))", sums)
            })
    }

    private static func bins(_ window: VerificationReport.Window) -> String {
        var table = TextTable(
            ["from", "to", "forecasts", "mean forecast", "happened"],
            [.right, .right, .right, .right, .right])
        let ends = EventSums.edges.dropFirst() + [1]
        for (bin, (from, to)) in zip(window.total.stopped.bins, zip(EventSums.edges, ends))
        where bin.rows > 0 {
            table.add([
                "\(fixed(from * 100, 1)) %", "\(fixed(to * 100, 1)) %", "\(bin.rows)",
                "\(fixed(bin.forecast / Double(bin.rows) * 100, 1)) %",
                "\(fixed(Double(bin.happened) / Double(bin.rows) * 100, 1)) %",
            ])
        }
        return table.text(indent: "  ")
    }

    private static func sentence(_ drift: DriftTest.Result) -> String {
        let period =
            "the complete fortnight \(drift.from) to \(drift.from.adding(days: DriftTest.blockDays - 1))"
        guard drift.days > 0 else {
            return "Against the published skill as live: no complete fortnight is scored yet"
        }
        guard drift.outcome != .untested, let skill = drift.skill,
            let expected = drift.expectedSkill, let pValue = drift.pValue
        else {
            return "Against the published skill as live: \(period) has \(drift.days) scored days, "
                + "fewer than \(DriftTest.minDays), and is not tested"
        }
        let verdict = drift.outcome == .worse ? "WORSE than published" : "as published, or better"
        return
            "Against the published skill as live, \(period), where the state was known: \(verdict); "
            + "skill \(fixed(skill, 3)), published \(fixed(expected, 3)), p = \(fixed(pValue, 4))"
    }
}
