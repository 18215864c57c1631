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

    /// What is read as records, however it is written: each file's rows are stored, and an export is the same again.
    @Test(arguments: ["csv", "json", "ndjson"])
    func anExportIsReadAgainAndExportedTheSame(format: String) async throws {
        try await withHome { home in
            let (first, second) = (home.path + "/1.sqlite", home.path + "/2.sqlite")
            // The clocks repeated an hour that night: one opening in each of its halves, and an unknown end.
            let odd = try write(
                """
                {"entityid": "3", "opendatetime": "2025-11-02T01:10:00.000", "closedatetime": "2025-11-02T01:15:00.000", "opened_at": "2025-11-02T01:10:00-07:00", "closed_at": "2025-11-02T01:15:00-07:00"}

                {"entityid": "3", "opendatetime": "2025-11-02T01:40:00.000", "closedatetime": "2025-11-02T01:45:00.000", "opened_at": "2025-11-02T01:40:00-08:00", "closed_at": "2025-11-02T01:45:00-08:00"}
                {"entityid": "4", "opendatetime": "2025-11-02T01:50:00.000", "opened_at": "2025-11-02T01:50:00-08:00"}
                """, "odd.ndjson", in: home)
            // More rows than are written at once.
            let files = ["openings-2017-2018.csv", "openings-2025-2026.csv"].map {
                Fixtures.trainingData($0).path
            }
            let ingested = try await CommandRun(
                ["ingest"] + files + [odd, "--store", first], home: home)
            #expect(ingested.code == 0 && ingested.output.contains("3  new openings"))
            let export = ["history", "export", "--format", format]
            let copy = home.path + "/copy"
            let written = try await CommandRun(
                export + ["--store", first, "--output", copy], home: home)
            #expect(written.code == 0, "\(written.errors)")
            let again = try await CommandRun(["ingest", copy, "--store", second], home: home)
            #expect(again.code == 0 && again.output.contains("copy (\(format))"), "\(again.errors)")
            let text = try await CommandRun(export + ["--store", second], home: home).output
            #expect(text == (try String(contentsOfFile: copy, encoding: .utf8)))
            #expect(text.contains("2025-11-02T01:40:00-08:00"))
            let ends = ["csv": ("entityid,", "record\n"), "json": ("[\n  {\n", "  }\n]\n")]
            let (start, end) = ends[format] ?? ("{", "}\n")
            #expect(text.hasPrefix(start) && text.hasSuffix(end))
            let count = text.split(separator: "witnesses").count - 1
            let openings = format == "csv" ? text.split(separator: "\n").count - 1 : count
            #expect(written.errors.contains("\(openings) openings written to"), "\(written.errors)")
            #expect(openings > 5_000)
            let none = try await CommandRun(
                export + ["--store", second, "--from", "2031-01-01"], home: home)
            let header = String(text.prefix { $0 != "\n" }) + "\n"
            #expect(none.output == ["csv": header, "json": "[\n\n]\n", "ndjson": ""][format])
        }
    }

    @Test func aGzipFileIsReadAsWhatItHolds() async throws {
        try await withHome { home in
            let file = home.path + "/records.csv"
            try FileManager.default.copyItem(
                atPath: Fixtures.trainingData("openings-2025-2026.csv").path, toPath: file)
            let packed = try await CommandRun(
                process: ["-k", file], home: home, executable: "/bin/gzip")
            try #require(packed.code == 0, "\(packed.errors)")
            let run = try await CommandRun(["ingest", file + ".gz"], home: home)
            #expect(run.code == 0 && run.output.contains("3245  rows read in all"), "\(run.errors)")
            // The same file to the store, packed or not.
            let again = try await CommandRun(["ingest", file, "--format", "json"], home: home)
            #expect(again.output.contains("\"already_stored\" : 3245"))
            let sound = try Data(contentsOf: URL(fileURLWithPath: file + ".gz"))
            for (name, bytes, words) in [
                ("cut.gz", sound.prefix(sound.count / 2), "compressed with gzip and cut short"),
                (
                    "damaged.gz", sound.dropLast(8) + Data(repeating: 7, count: 8),
                    "compressed with gzip and damaged at byte"
                ),
                ("twice.gz", Data([0x1f, 0x8b]), "cut short"),
            ] {
                let path = "\(home.path)/\(name)"
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                let run = try await CommandRun(["ingest", path], home: home)
                #expect(run.code == 65 && run.errors.contains("\(name): "), "\(run.errors)")
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    @Test(arguments: [
        (
            #"{"error": true, "message": "no such dataset"}"#,
            "a message of the API: no such dataset"
        ),
        (#"{"type": "FeatureCollection"}"#, "a JSON object that is no record"),
        ("entityid;opendatetime;closedatetime\n3;2026-02-20;\n", "separated by ';', not by ','"),
        (#""entityid";"opendatetime";"closedatetime""#, "separated by ';', not by ','"),
        ("entityid\topendatetime\tclosedatetime\n", "separated by tabs, not by ','"),
        (
            #"{"entityid": "3", "opendatetime": "2026-02-20T12:00:00"}"# + "\n{",
            "record 2: not valid JSON"
        ),
    ])
    func whatIsNotReadSaysWhy(_ example: (String, String)) async throws {
        try await withHome { home in
            let path = try write(example.0, "file", in: home)
            let run = try await CommandRun(["ingest", path], home: home)
            #expect(run.code == 65 && run.errors.contains(example.1), "\(run.errors)")
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
    private static let shipped = Fixtures.recordFiles.map(\.path)
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
            let early = ["--from", "2015-08-25", "--to", "2018-03-27"]
            for command in [["features", "export", home.path + "/none"], ["evaluate"]] {
                let run = try await CommandRun(command + early, home: home)
                #expect(run.code == 65, "\(run.errors)")
                #expect(run.errors.contains("no covered records before 2015-08-25: the "))
                #expect(run.errors.contains("add --records of earlier time"), "\(run.errors)")
            }
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
