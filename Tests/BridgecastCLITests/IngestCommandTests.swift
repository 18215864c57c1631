// `ingest`: what it reports and stores, and what a refused file leaves as it was.
@testable import BridgecastCLI
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct IngestCommandTests {
    @Test func ingestReportsAndPredictUsesTheStore() async throws {
        try await withHome { home in
            let coverage = Fixtures.trainingData("coverage.json").path
            let file = Fixtures.trainingData("openings-2025-2026.csv").path
            let run = try await CommandRun(["ingest", file, "--coverage", coverage], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("3245  rows read in all"))
            let store = home.path + "/.local/share/bridgecast/history.sqlite"
            #expect(FileManager.default.fileExists(atPath: store))
            let again = try await CommandRun(["ingest", file, "--format", "json"], home: home)
            #expect(again.output.contains("\"already_stored\" : 3245"))
            let predicted = try await CommandRun(
                ["--at", "2026-02-20T18:05", "--only", "fremont-slu"], home: home)
            #expect(predicted.output.contains("the state of 6 of 7 bridges is known"))
        }
    }

    @Test func aRefusedFileCostsTheOthersNothing() async throws {
        try await withHome { home in
            let good = Fixtures.trainingData("openings-2025-2026.csv").path
            let bad = try write("not records at all\n1\n", "bad.csv", in: home)
            let store = home.path + "/.local/share/bridgecast/history.sqlite"
            let useless = try write(
                "entityid,opendatetime,closedatetime\n99,2026-02-20T12:00:00,\n", "useless.csv",
                in: home)
            let alone = try await CommandRun(["ingest", bad, useless], home: home)
            #expect(alone.code == 65)
            #expect(alone.output.contains("1  rejected: unknown bridge"))
            #expect(alone.errors.contains("useless.csv: none of its 1 rows is usable"))
            #expect(!FileManager.default.fileExists(atPath: store))
            let run = try await CommandRun(
                ["ingest", bad, home.path + "/none.csv", good], home: home)
            // The code is that of the first refusal.
            #expect(run.code == 65 && run.output.contains("3245  rows read in all"))
            #expect(run.errors.contains("bad.csv") && run.errors.contains("none.csv"))
            #expect(run.errors.contains("1 of 3 files stored"))
            let before = try Data(contentsOf: URL(fileURLWithPath: store))
            #expect(try await CommandRun(["ingest", good, bad], home: home).code == 65)
            #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
            #expect(
                try await CommandRun(["ingest", home.path + "/none.csv"], home: home).code == 66)
        }
    }

    @Test func whyRecordsAreNotReviewedIsSaid() throws {
        let many = IngestReview.lines(most: 10) { Fixtures.shippedHistory }
        #expect(many.count == 1 && many[0].contains("not reviewed"), "\(many)")
        #expect(many[0].contains("\(Fixtures.shippedHistory.count) openings"), "\(many)")
        let broken = IngestReview.lines { throw CommandFailure(.io, "the disk is gone") }
        #expect(broken == ["records: not reviewed: the disk is gone"])
        let reviewed = IngestReview.lines { Fixtures.shippedHistory }
        #expect(!reviewed.contains { $0.contains("not reviewed") }, "\(reviewed)")
    }
}
