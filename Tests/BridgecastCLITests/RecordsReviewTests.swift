// The review of records by `train` and `ingest`.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCLI

@Suite struct RecordsReviewCommandTests: RunsCommands {
    private let coverage = Fixtures.trainingData("coverage.json").path

    /// The records of the later years without some months, such as `2025-02`.
    private func records(without months: [String], in home: URL) throws -> String {
        let text = try String(
            contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline).filter { line in
            !months.contains { line.contains("\"\($0)-") }
        }
        return try write(lines.joined(separator: "\n") + "\n", "later.csv", in: home)
    }

    private func train(
        _ records: String, _ more: [String], after earlier: [URL] = Fixtures.recordFiles.dropLast(),
        home: URL
    ) async throws -> CommandRun {
        try await CommandRun(
            ["train"] + earlier.flatMap { ["--records", $0.path] } + [
                "--records", records, "--coverage", coverage,
                "--output", home.path + "/out", "--teachers", "0", "--epochs", "1",
                "--minutes-between-issue-times", "240", "--hidden", "8",
            ] + more, home: home)
    }

    @Test func trainLeavesAMissingMonthOutWithANote() async throws {
        try await withHome { home in
            let records = try records(without: ["2025-02"], in: home)
            let run = try await train(records, [], home: home)
            #expect(run.code == 0, "\(run.errors)")
            let line = run.errors.split(separator: "\n").first { $0.hasSuffix("; set aside") } ?? ""
            #expect(line.contains("2025-01-31") && line.contains("2025-03-01"), "\(run.errors)")
            #expect(run.errors.contains("Lower Spokane St") && run.errors.contains("a day"))
        }
    }

    /// The coverage of all shipped records, with those of the later years alone.
    @Test func trainRefusesRecordsThatLackMostYearsOfTheirCoverage() async throws {
        try await withHome { home in
            let records = Fixtures.trainingData("openings-2025-2026.csv").path
            let run = try await train(records, [], after: [], home: home)
            #expect(run.code == 65 && run.errors.contains("contradict themselves"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: home.path + "/out"))
            let kept = try await train(
                records, ["--keep-all-records", "--quiet"], after: [], home: home)
            #expect(kept.code == 0 && kept.errors.contains("; kept"), "\(kept.errors)")
        }
    }

    @Test func ingestReportsOnceThatOpeningsHaveNoEnd() async throws {
        try await withHome { home in
            let text = try String(
                contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
            let lines = text.split(whereSeparator: \.isNewline).prefix(1501)
            let endless = lines.enumerated().map { index, line in
                var fields = line.split(separator: ",", omittingEmptySubsequences: false)
                if index > 0 { (fields[4], fields[5]) = ("", "") }
                return fields.joined(separator: ",")
            }
            let records = try write(endless.joined(separator: "\n") + "\n", "r.csv", in: home)
            let run = try await CommandRun(["ingest", records], home: home)
            #expect(run.code == 0, "\(run.errors)")
            let notes = run.errors.split(separator: "\n").filter {
                $0.contains("opening with an end")
            }
            try #require(notes.count == 1, "\(run.errors)")
            #expect(notes[0].contains("times no opening with an end"))
            #expect(notes[0].contains("Ballard, 2025-01-01 15:39 to 2025-01-02 09:12; "))
            #expect(notes[0].contains("; and ") && notes[0].contains(" more; training leaves"))
        }
    }

    @Test func ingestReportsWhatTrainingWouldLeaveOut() async throws {
        try await withHome { home in
            let records = try records(without: ["2025-02"], in: home)
            let run = try await CommandRun(
                ["ingest", records, "--coverage", coverage], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("training leaves it out"), "\(run.errors)")
        }
    }
}

struct RecordsReviewTextTests {
    @Test func onlyScoredDaysOfAMissingMonthAreNamed() {
        let month = Fixtures.timestamp("2025-03-01T00:00")..<Fixtures.timestamp("2025-04-01T00:00")
        let shipped = Fixtures.shippedHistory
        let history = OpeningHistory(
            records: shipped.openings.joined().filter { !month.contains($0.start) },
            coverage: shipped.coverage)
        let inside = Fixtures.timestamp("2025-03-15T00:00")..<Fixtures.timestamp("2025-03-17T00:00")
        let later = Fixtures.timestamp("2026-02-15T00:00")..<Fixtures.timestamp("2026-02-17T00:00")
        let lines = RecordsReviewText.scored(history, in: [inside])
        #expect(lines.contains { $0.contains("it is scored nevertheless") }, "\(lines)")
        #expect(RecordsReviewText.scored(history, in: [later]).isEmpty)
        #expect(RecordsReviewText.scored(shipped, in: [inside, later]).isEmpty)
    }
}
