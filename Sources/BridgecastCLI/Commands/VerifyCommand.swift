// `bridgecast verify`: what became of the forecasts that were issued; and the options that name an archive.
package import ArgumentParser
import BridgecastAnswers
package import BridgecastCore
package import BridgecastData
package import BridgecastLive
package import BridgecastStore
internal import BridgecastSupport
package import Foundation
package import Logging

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Scores the forecasts that were issued: skill, calibration, delays.",
        discussion: """
            `serve` and `watch` archive a forecast of all bridges every five minutes. A forecast is scored once the hour \
            after its arrival was observed, or is in the records; others are counted. Nothing is changed.
            """)

    @Option(
        name: .long,
        help: "The archive. Default: archive.sqlite next to the store.")
    var archive: String?

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "Days of issue times, today the last. Default: 7, 30 and 365.")
    var days: Int?

    @Option(name: .long, help: "Output: text or json.")
    var format = VerifyFormat.text

    /// `--format`.
    enum VerifyFormat: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    func run() async throws {
        try await reportingFailures {
            guard days.map({ (1...36_500).contains($0) }) ?? true else {
                throw CommandFailure(.usage, "--days must be 1 to 36500")
            }
            let url =
                try archive.map { URL(fileURLWithPath: $0) }
                ?? ForecastArchive.url(nextTo: store.url())
            guard try HistoryStore.fileExists(at: url) else {
                throw CommandFailure(
                    .missingInput,
                    "\(url.path): there is no such archive; `bridgecast serve` and `watch` create one"
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
        if archive.kind == .replay, !store.isNamed { return try LoadedRecords.shipped().history }
        let history = try store.existing()
        defer { history.close() }
        return try history.history()
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

extension SkillReference {
    /// The published evaluation; nil without the shipped files.
    package static var shipped: SkillReference? {
        ShippedFiles.documentIfAny("models/bridgecast.skill.json").flatMap { SkillReference($0) }
    }
}

// MARK: - Options of an archive

/// `--archive` and `--no-archive` of commands that forecast live.
package struct ArchiveOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The archive of issued forecasts. Default: archive.sqlite next to the store.")
    var archive: String?

    @Flag(name: .long, help: "Do not archive forecasts.")
    var noArchive = false

    package init() {}

    package func validate() throws {
        guard archive == nil || !noArchive else {
            throw ValidationError("--archive and --no-archive contradict each other")
        }
    }

    /// The archive's URL; nil if nothing is archived.
    ///
    /// - Parameter store: The history store; nil if observations are not kept, and forecasts then neither unless an archive is
    ///   named.
    package func url(nextTo store: URL?) -> URL? {
        guard !noArchive else { return nil }
        return archive.map { URL(fileURLWithPath: $0) }
            ?? store.map { ForecastArchive.url(nextTo: $0) }
    }
}

extension ForecastArchiver {
    /// An archiver of a file, by the published evaluation.
    ///
    /// - Parameters:
    ///   - reference: nil for the shipped one.
    ///   - outcomes: All openings that are known now.
    package static func archiving(
        to url: URL, _ kind: ForecastArchive.Kind,
        keepingDays days: Int = ForecastArchive.defaultDays,
        reference: SkillReference? = nil, clock: any WallClock, log: Logger,
        outcomes: @escaping @Sendable () throws -> OpeningHistory
    ) -> ForecastArchiver {
        var parts = Parts(clock: clock, log: log, outcomes: outcomes) {
            () throws(ForecastArchiveError) in try ForecastArchive(url, writing: kind)
        }
        parts.days = days
        parts.reference = reference ?? SkillReference.shipped
        return ForecastArchiver(parts)
    }
}

// MARK: - Text

/// The living skill as tables.
private enum VerificationText {
    static func text(_ report: VerificationReport) -> String {
        var parts = [
            "Forecasts issued up to \(TimeText.rfc3339(report.madeAt))"
                + (report.isReplay ? ", of a replay" : ""),
            windows(report.windows),
        ]
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
        "scored", "pending", "unseen", "stopped", "log loss", "skill", "Brier", "cal. error",
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
        let shares = sums.delayCoverage?.map { percent($0) } ?? ScoreSums.levels.map { _ in "-" }
        return [
            "\(sums.scored)", "\(sums.pending)", "\(sums.uncovered)",
            sums.stopped.rate.map { percent($0) } ?? "-",
            number(sums.stopped.meanLogLoss, 4), number(sums.stopped.logLossSkill, 3),
            number(sums.stopped.brierScore, 4), number(sums.stopped.calibrationError, 4),
            number(sums.raised.logLossSkill, 3), "\(sums.delays)",
        ] + shares
    }

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
        let period = "\(drift.from) to \(drift.from.adding(days: DriftTest.blockDays - 1))"
        guard drift.outcome != .untested, let skill = drift.skill,
            let expected = drift.expectedSkill, let pValue = drift.pValue
        else {
            return "Against the published evaluation: \(period) has \(drift.days) scored days, "
                + "fewer than \(DriftTest.minDays), and is not tested"
        }
        let verdict = drift.outcome == .worse ? "WORSE than published" : "as published, or better"
        return "Against the published evaluation, \(period): \(verdict); skill \(fixed(skill, 3)), "
            + "expected \(fixed(expected, 3)), p = \(fixed(pValue, 4))"
    }
}
