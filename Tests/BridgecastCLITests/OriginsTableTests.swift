// `origins table`: files of other programs, of other recipes, and invalid ones.
import Foundation
import Testing

@Suite struct OriginsTableTests: RunsCommands {
    /// Scores of two days and of one lead.
    private static func scores(
        _ origin: String, _ changes: [String: Any] = [:], row: [String: Any] = [:]
    ) -> [String: Any] {
        let rows = (0..<2).map { day -> [String: Any] in
            let usual: [String: Any] = [
                "day": "2025-01-0\(day + 1)", "bridge": "Fremont", "lead_minutes": 2, "rows": 288,
                "blocked": 9, "loss": 10.5, "climatology_loss": 12.0, "brier": 1.0,
                "climatology_brier": 2.0,
            ]
            return usual.merging(row) { $1 }
        }
        let usual: [String: Any] = [
            "recipe": "x", "origin": origin, "days": 2, "calibration_error": 0.01, "rows": rows,
        ]
        return usual.merging(changes) { $1 }
    }

    private static func making(seed: Int = 1, epochs: Int = 5) -> [String: Any] {
        [
            "making": [
                "settings": ["epochs": "\(epochs)"], "seed": seed, "records": [String](),
                "fitted_before": "2025-01-01T00:00:00-08:00", "schema_hash": "0",
            ] as [String: Any]
        ]
    }

    private func put(_ scores: [String: Any], _ name: String, in home: URL) throws {
        try put(
            String(decoding: JSONSerialization.data(withJSONObject: scores), as: UTF8.self), name,
            in: home)
    }

    private func put(_ text: String, _ name: String, in home: URL) throws {
        let url = home.appendingPathComponent(name + ".json")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func table(_ home: URL, _ more: [String] = []) async throws -> CommandRun {
        try await CommandRun(["origins", "table", "--folder", home.path] + more, home: home)
    }

    @Test func aFileMustBeNamedForItsOrigin() async throws {
        try await withHome { home in
            try put(Self.scores("2025-01-01"), "a/2025-01-01", in: home)
            try put(Self.scores("2025-01-01"), "a/2025-01-01-copy", in: home)
            let run = try await table(home)
            #expect(run.code == 65, "\(run.errors)")
            #expect(run.errors.contains("a/2025-01-01-copy.json: holds scores at '2025-01-01'"))
        }
    }

    @Test func aFolderHoldsOneRecipe() async throws {
        try await withHome { home in
            try put(Self.scores("2025-01-01", Self.making()), "a/2025-01-01", in: home)
            try put(Self.scores("2025-01-02"), "a/2025-01-02", in: home)
            try put(Self.scores("2025-01-03", Self.making()), "a/2025-01-03", in: home)
            #expect(try await table(home).code == 0)
            for (other, words) in [
                (Self.making(seed: 2), "seed 2, not 1"),
                (Self.making(epochs: 6), "epochs 6, not 5"), (["days": 3], "days 3, not 2"),
            ] as [([String: Any], String)] {
                try put(Self.scores("2025-01-04", other), "a/2025-01-04", in: home)
                let run = try await table(home)
                #expect(run.code == 65, "\(run.errors)")
                #expect(
                    run.errors.contains("a/2025-01-04.json: is not of the recipe of 2025-01-01"))
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    @Test func recipesThatLackOriginsAreNamed() async throws {
        try await withHome { home in
            try put(Self.scores("2025-01-01"), "a/2025-01-01", in: home)
            try put(Self.scores("2025-01-01"), "b/2025-01-01", in: home)
            let same = try await table(home)
            #expect(same.code == 0 && !same.output.contains("lacks"), "\(same.errors)")
            try put(Self.scores("2025-02-01"), "b/2025-02-01", in: home)
            let other = try await table(home)
            #expect(other.output.contains("  a lacks 2025-02-01\n"), "\(other.output)")
            #expect(!other.output.contains("b lacks"))
            let unknown = try await table(home, ["--against", "c"])
            #expect(unknown.code == 64 && unknown.errors.contains("'c'"), "\(unknown.errors)")
        }
    }

    @Test func invalidFilesAreReportedWithTheLocation() async throws {
        try await withHome { home in
            let name = "a/2025-01-01"
            try put(
                Self.scores("2025-01-01", ["rows": [["day": "2025-01-01", "bridge": "Fremont"]]]),
                name, in: home)
            let missing = try await table(home)
            #expect(missing.code == 65, "\(missing.errors)")
            #expect(
                missing.errors.contains(
                    "a/2025-01-01.json: no scores of an origin: rows[0].lead_minutes is missing")
            )
            try put(Self.scores("2025-01-01", row: ["lead_minutes": "two"]), name, in: home)
            let typed = try await table(home)
            #expect(typed.code == 65, "\(typed.errors)")
            #expect(typed.errors.contains("rows[0].lead_minutes is of another type"))
            try FileManager.default.removeItem(at: home.appendingPathComponent(name + ".json"))
            try FileManager.default.createDirectory(
                at: home.appendingPathComponent(name + ".json"), withIntermediateDirectories: true)
            let folder = try await table(home)
            #expect(folder.code == 74, "\(folder.errors)")
            #expect(folder.errors.contains("a/2025-01-01.json: is a folder"), "\(folder.errors)")
        }
    }

    @Test func aPipeIsRefused() async throws {
        try await withHome { home in
            try put(Self.scores("2025-01-01"), "a/2025-01-01", in: home)
            let pipe = home.appendingPathComponent("a/2025-01-02.json").path
            try #require(unsafe mkfifo(pipe, 0o600) == 0)
            let run = try await table(home)
            #expect(run.code == 74, "\(run.errors)")
            #expect(run.errors.contains("a/2025-01-02.json: is a pipe or device, not a file"))
        }
    }

    @Test func duplicateCellsAreRefused() async throws {
        try await withHome { home in
            let delay: [String: Any] = [
                "day": "2025-01-01", "traffic": "profile", "rows": 288, "delayed": 9,
                "stopped": 9, "loss": 1.0, "climatology_loss": 2.0, "ranked_probability": 1.0,
                "climatology_ranked_probability": 2.0, "below50": 4,
                "below80": 7, "below95": 8,
            ]
            let confidence: [String: Any] = [
                "confidence": "HIGH", "rows": 288, "forecast": 8.5, "blocked": 9, "loss": 10.5,
                "calibration_error": 0.01,
            ]
            let raised: [String: Any] = [
                "elapsed_minutes": 5, "openings": 9, "below80": 7, "below95": 8, "loss": 1.0,
            ]
            for (name, cell, words) in [
                ("delays", delay, "delays on 2025-01-01 at traffic profile: appears twice"),
                ("confidence", confidence, "confidence HIGH: appears twice"),
                ("raised", raised, "raised for 5 min: appears twice"),
            ] {
                try put(Self.scores("2025-01-01", [name: [cell]]), "a/2025-01-01", in: home)
                let once = try await table(home)
                #expect(once.code == 0, "\(once.errors)")
                try put(Self.scores("2025-01-01", [name: [cell, cell]]), "a/2025-01-01", in: home)
                let twice = try await table(home)
                #expect(twice.code == 65, "\(twice.errors)")
                #expect(twice.errors.contains("'a' at 2025-01-01: \(words)"), "\(twice.errors)")
            }
        }
    }

    @Test func aSingleDayHasNoInterval() async throws {
        try await withHome { home in
            for recipe in ["a", "b"] {
                var scores = Self.scores("2025-01-01", row: ["loss": recipe == "a" ? 9.0 : 10.5])
                scores["rows"] = (scores["rows"] as? [[String: Any]])?.prefix(1).map(\.self)
                try put(scores, "\(recipe)/2025-01-01", in: home)
            }
            let text = try await table(home, ["--against", "b"])
            #expect(text.code == 0 && !text.output.contains(" .. "), "\(text.output)")
            let total = text.output.split(separator: "\n").last { $0.contains("total") } ?? ""
            let cells = total.split(separator: " ").map(String.init)
            #expect(cells == ["total", "0.2500", "0.1250", "0.1250", "-", "2.000", "-"])
            let json = try await table(home, ["--against", "b", "--format", "json"])
            #expect(!json.output.contains("\"low\"") && json.output.contains("\"difference\""))
        }
    }

    @Test func excessiveFiguresAreRefused() async throws {
        try await withHome { home in
            let delays: [String: Any] = [
                "day": "2025-01-01", "traffic": "profile", "rows": Int.max, "stopped": Int.max,
                "loss": 1.0, "climatology_loss": 1.0, "ranked_probability": 1.0,
                "climatology_ranked_probability": 1.0,
                "delayed": Int.max, "below50": 0, "below80": Int.max, "below95": Int.max,
            ]
            let raised: [String: Any] = [
                "elapsed_minutes": 0, "openings": Int.max, "below80": Int.max, "below95": Int.max,
                "loss": 1.0,
            ]
            let origin = "2025-01-01"
            let hostile = [
                Self.scores(origin, row: ["rows": Int.max, "blocked": Int.max]),
                Self.scores(origin, row: ["rows": 0, "blocked": 0]),
                Self.scores(origin, row: ["blocked": -1]),
                Self.scores(origin, row: ["loss": 1e300]),
                Self.scores(origin, row: ["loss": -1.0]),
                Self.scores(origin, row: ["climatology_loss": 1e-300]),
                Self.scores(origin, row: ["lead_minutes": Int.max]),
                Self.scores(origin, row: ["lead_minutes": 0]),
                Self.scores(origin, ["fp32_log_loss": 0]),
                Self.scores(origin, ["fp32_log_loss": 1e-300]),
                Self.scores(origin, ["calibration_error": 2.0]),
                Self.scores(origin, ["days": Int.max]),
                Self.scores(origin, ["delays": [delays, delays]]),
                Self.scores(origin, ["raised": [raised, raised]]),
            ]
            for scores in hostile {
                try put(scores, "a/2025-01-01", in: home)
                let run = try await table(home, ["--format", "json"])
                #expect(run.code == 65, "\(scores): \(run.code) \(run.errors)")
                #expect(run.errors.contains("scores of 'a' at 2025-01-01: "), "\(run.errors)")
            }
            for text in ["[]", "", "{\"recipe\": 1e999}", "nothing", "{\"rows\": null}"] {
                try put(text, "a/2025-01-01", in: home)
                let run = try await table(home)
                #expect(run.code == 65, "\(text): \(run.code) \(run.errors)")
                #expect(run.errors.contains("a/2025-01-01.json: "), "\(run.errors)")
            }
        }
    }
}
