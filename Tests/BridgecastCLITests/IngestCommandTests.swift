// `ingest`, and stores as `--records`.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCLI

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

    @Test func aRefusedFileDoesNotAffectOthers() async throws {
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

    @Test func theReasonForNoReviewIsReported() throws {
        let many = IngestReview.lines(maxOpenings: 10) { Fixtures.shippedHistory }
        #expect(many.count == 1 && many[0].contains("not reviewed"), "\(many)")
        #expect(many[0].contains("\(Fixtures.shippedHistory.count) openings"), "\(many)")
        let broken = IngestReview.lines { throw CommandFailure(.io, "the disk is gone") }
        #expect(broken == ["records: not reviewed: the disk is gone"])
        let reviewed = IngestReview.lines { Fixtures.shippedHistory }
        #expect(!reviewed.contains { $0.contains("not reviewed") }, "\(reviewed)")
    }
}

@Suite struct StoreAsRecordsTests {
    private static let shipped = [
        Fixtures.trainingData("openings-2017-2018.csv").path,
        Fixtures.trainingData("openings-2025-2026.csv").path,
    ]
    private static let coverage = Fixtures.trainingData("coverage.json").path

    /// Runs a test with a store of the shipped records.
    private func withStore(_ body: (URL, String) async throws -> Void) async throws {
        try await withHome { home in
            let store = home.path + "/records.sqlite"
            let run = try await CommandRun(
                ["ingest"] + Self.shipped + ["--coverage", Self.coverage, "--store", store],
                home: home)
            try #require(run.code == 0, "\(run.errors)")
            try await body(home, store)
        }
    }

    private func rows(_ arguments: [String], in home: URL) async throws -> [Data] {
        let folder = home.path + "/features"
        let run = try await CommandRun(
            ["features", "export", folder, "--from", "2026-02-20", "--to", "2026-02-20"]
                + arguments, home: home)
        try #require(run.code == 0, "\(run.errors)")
        return try ["features.npy", "blocked.npy", "rows.csv"].map {
            try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))
        }
    }

    @Test func aStoreGivesTheRowsOfTheFilesInIt() async throws {
        try await withStore { home, store in
            let own = try await rows(["--records", store], in: home)
            #expect(own == (try await rows([], in: home)))
            #expect(own == (try await rows(["--records", store, "--records", store], in: home)))
        }
    }

    @Test func aModelHasTheDigestOfTheStoresExport() async throws {
        try await withStore { home, store in
            let run = try await CommandRun(
                [
                    "train", "--records", store, "--records", store, "--output", home.path,
                    "--name", "own", "--teachers", "0", "--epochs", "1", "--hidden", "8",
                    "--minutes-between-issue-times", "1440", "--validation-to", "2026-02-20",
                ], home: home)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("openings after --validation-to 2026-02-20 are not used"))
            let export = try await CommandRun(["history", "export", "--store", store], home: home)
            let digest = hexadecimal(SHA256.hash(export.output.utf8))
            let model = try await CommandRun(
                ["inspect", home.path + "/own.int8.bcm"], home: home)
            let sources = model.output.split(separator: "\n").filter { $0.hasPrefix("records ") }
            #expect(sources == ["records    records.sqlite sha256 \(digest)"])
        }
    }

    @Test func statedCoverageReplacesTheStores() async throws {
        try await withStore { home, store in
            let stated = try write(
                #"{"periods": [{"from": "2026-01-05T00:00:00", "to": "2026-01-20T00:00:00", "bridges": ["2", "3"]}]}"#,
                "narrow.json", in: home)
            let run = try await CommandRun(
                [
                    "features", "export", home.path + "/none", "--records", store, "--coverage",
                    stated, "--from", "2026-02-20", "--to", "2026-02-20",
                ], home: home)
            #expect(run.code == 65 && run.errors.contains("no covered records"), "\(run.errors)")
        }
    }

    @Test func unusableStoresAreRefused() async throws {
        try await withStore { home, store in
            let empty = home.path + "/empty.sqlite"
            try FileManager.default.copyItem(atPath: store, toPath: empty)
            let pruned = try await CommandRun(
                [
                    "history", "prune", "--store", empty, "--before", "2030-01-01", "--of",
                    "records",
                ],
                home: home)
            #expect(pruned.code == 0)
            for (arguments, words) in [
                (["evaluate", "--records", empty], "empty.sqlite: the store holds no openings"),
                (["ingest", store], "not a text file but a database"),
            ] {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code == 65 && run.errors.contains(words), "\(run.errors)")
            }
        }
    }
}
