// A history store in the place of a file of records: the same rows and models, a digest that anyone can check, and
// what is said of stores that are of no use.
import BridgecastCore
import BridgecastDigest
import BridgecastTestSupport
import Foundation
import Testing

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

    @Test func aModelTellsTheDigestOfTheStoresExport() async throws {
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

    @Test func statedCoverageTakesThePlaceOfTheStores() async throws {
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

    @Test func whatIsNoStoreOfUseIsRefusedAsThat() async throws {
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
