import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JourneyCommandTests: RunsCommands {
    /// An evening of the shipped records on which Ballard Bridge is up.
    private let evening = "2026-02-20T18:02"

    private func journal(of home: URL) -> String {
        home.path + "/.local/share/bridgecast/journeys.sqlite"
    }

    private func add(
        _ from: String, _ to: String, day: Int, arrived: String = "08:25", in home: URL
    ) async throws -> CommandRun {
        let date = "2026-02-\(day < 10 ? "0" : "")\(day)"
        return try await CommandRun(
            [
                "journey", "add", from, to, "--departed", "\(date)T08:00", "--arrived",
                "\(date)T\(arrived)", "--minutes", "22",
            ], home: home)
    }

    @Test func aJourneyIsStartedWithTheForecastOfTheBestRouteAndStopped() async throws {
        try await withHome { home in
            let start = try await CommandRun(
                ["journey", "start", "Ballard", "Downtown", "--at", evening], home: home)
            #expect(start.code == 0, "\(start.errors)")
            #expect(start.output.contains("began Fri 2026-02-20 18:02 PST: Ballard -> Downtown"))
            #expect(start.output.contains(": expected ") && start.output.contains(", P90 "))
            let predicted = try await CommandRun(
                [
                    "predict", "--from", "Ballard", "--to", "Downtown", "--at", evening,
                    "--format", "json",
                ], home: home)
            let again = try await CommandRun(
                ["journey", "start", "Ballard", "Downtown", "--at", evening], home: home)
            #expect(again.code == 64 && again.errors.contains("is under way"))
            let stop = try await CommandRun(
                [
                    "journey", "stop", "--at", "2026-02-20T18:27", "--no-stopped", "--format",
                    "json",
                ], home: home)
            #expect(stop.code == 0, "\(stop.errors)")
            let ended = try document(stop)
            #expect(ended["actual_arrival"] as? String == "2026-02-20T18:27:00-08:00")
            #expect(ended["stopped"] as? Bool == false)
            let way = try #require(ended["way"] as? String)
            #expect(predicted.output.contains(way))
            let list = try await CommandRun(["journey", "list"], home: home)
            #expect(list.output.contains("25:00"), "\(list.output)")
            let attributes = try FileManager.default.attributesOfItem(atPath: journal(of: home))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func aFavouriteIsStartedByItsNameAndCountsIt() async throws {
        try await withHome { home in
            for arguments in [
                ["favourite", "add", "bus", "--line", "44", "--stop", "1_29240"],
                ["favourite", "add", "commute", "--from", "Ballard", "--to", "Downtown"],
                ["favourite", "move", "commute", "1"],
                ["favourite", "set", "commute", "--refresh", "manual"],
                ["journey", "start", "commute", "--minutes", "20", "--at", evening],
                ["journey", "stop", "--at", "2026-02-20T18:30"],
            ] {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code == 0, "\(arguments): \(run.errors)")
            }
            let list = try await CommandRun(["favourite", "list"], home: home)
            let lines = list.output.split(separator: "\n")
            #expect(lines[2].contains("Ballard -> Downtown, by car"))
            #expect(lines[2].contains("28:00") && lines[2].contains("manual"))
            #expect(lines[3].contains("line 44 at 1_29240"))
            let bus = try await CommandRun(["journey", "start", "bus"], home: home)
            #expect(bus.code == 64 && bus.errors.contains("--minutes is needed"))
            let removed = try await CommandRun(["favourite", "remove", "BUS"], home: home)
            #expect(removed.output == "Removed bus\n")
        }
    }

    @Test func statisticsAreShownAsTextAndJSON() async throws {
        try await withHome { home in
            for day in 1...9 {
                let run = try await add("home", "work", day: day, in: home)
                #expect(run.code == 0, "\(run.errors)")
            }
            let text = try await CommandRun(["stats", "--range", "all"], home: home)
            #expect(text.output.contains("9 journeys since Sun 2026-02-01 08:00 PST: 9 arrived"))
            #expect(text.output.contains("mean +3:00, median +3:00"), "\(text.output)")
            #expect(text.output.contains("home -> work"))
            let json = try document(
                try await CommandRun(
                    ["stats", "--range", "all", "--on-time", "2", "--format", "json"], home: home))
            let route = try #require((json["routes"] as? [[String: Any]])?.first)
            #expect(route["reliability"] as? Double == 0)
            #expect(json["peak_hours"] as? [Int] == [8])
            let week = try await CommandRun(["stats", "--range", "week"], home: home)
            #expect(week.output == "No journeys in this range.\n")
        }
    }

    @Test func anExportIsPrivateAndImportedElsewhere() async throws {
        try await withHome { home in
            _ = try await add("home", "work", day: 3, in: home)
            let file = home.path + "/export.json"
            let export = try await CommandRun(["journey", "export", "-o", file], home: home)
            #expect(export.errors.contains("1 journey, 0 favourites and 0 reminders written"))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let other = home.path + "/other.sqlite"
            let imported = try await CommandRun(
                ["journey", "import", file, "--journal", other], home: home)
            #expect(imported.output == "1 journey added, 0 replaced; 0 favourites, 0 reminders\n")
            let list = try await CommandRun(["journey", "list", "--journal", other], home: home)
            #expect(list.output.contains("home -> work"))
            let over = try await CommandRun(["journey", "export", "-o", other], home: home)
            #expect(over.code == 64 && over.errors.contains("is a database"))
            let anonymous = try await CommandRun(["journey", "export", "--anonymous"], home: home)
            #expect(anonymous.errors.contains("left out: 1 journey in 1 combination "))
            #expect(!anonymous.output.contains("work"))
        }
    }

    @Test func aFavouriteOfAnExportThatIsKeptIsMergedOrNamedWithItsLine() async throws {
        try await withHome { home in
            func add(_ from: String, _ to: String, _ journal: String) async throws {
                let run = try await CommandRun(
                    [
                        "favourite", "add", "work", "--from", from, "--to", to, "--journal",
                        home.path + "/" + journal,
                    ], home: home)
                #expect(run.code == 0, "\(run.errors)")
            }
            try await add("Ballard", "Downtown", "old")
            try await add("Ballard", "Downtown", "same")
            try await add("Ballard", "Fremont", "other")
            let file = home.path + "/export.json"
            _ = try await CommandRun(
                ["journey", "export", "-o", file, "--journal", home.path + "/old"], home: home)
            let merged = try await CommandRun(
                ["journey", "import", file, "--journal", home.path + "/same"], home: home)
            #expect(merged.code == 0 && merged.output.contains("1 favourite"), "\(merged.errors)")
            let refused = try await CommandRun(
                ["journey", "import", file, "--journal", home.path + "/other"], home: home)
            #expect(refused.code == 65)
            #expect(refused.errors.contains(/export.json: line \d+: name: a favourite 'work'/))
            #expect(refused.errors.contains("rename or remove one of them"))
        }
    }

    @Test func neitherExportNorBackupOfTheHistoryHasAJourney() async throws {
        try await withHome { home in
            _ = try await add("secret", "work", day: 3, in: home)
            let records = try write(
                "entityid,opendatetime,closedatetime\n1,2026-02-01T10:00:00,2026-02-01T10:05:00\n",
                "records.csv", in: home)
            _ = try await CommandRun(["ingest", records], home: home)
            let copy = home.path + "/copy.sqlite"
            let backup = try await CommandRun(["history", "backup", copy], home: home)
            #expect(backup.code == 0, "\(backup.errors)")
            let data = try Data(contentsOf: URL(fileURLWithPath: copy))
            #expect(data.range(of: Data("secret".utf8)) == nil)
            for format in ["csv", "json", "ndjson"] {
                let export = try await CommandRun(
                    ["history", "export", "--format", format], home: home)
                #expect(export.code == 0 && !export.output.contains("secret"))
            }
        }
    }

    @Test func anEncryptedJournalIsReadWithItsKeyAlone() async throws {
        try await withHome { home in
            let key = home.path + "/key"
            let other = home.path + "/other"
            func run(_ arguments: [String], key: String? = nil) async throws -> CommandRun {
                try await CommandRun(
                    arguments + (key.map { ["--key", $0] } ?? []), home: home)
            }
            _ = try await add("ZANZIBAR", "work", day: 3, in: home)
            #expect(try await run(["journey", "encrypt"]).code == 64)
            #expect(try await run(["journey", "encrypt"], key: key).code == 66)
            for file in [key, other] {
                #expect(try await run(["journey", "key", "make", file]).code == 0)
            }
            #expect(try await run(["journey", "key", "make", key]).code == 64)
            #expect(try await run(["journey", "list"], key: key).code == 65)
            #expect(try await run(["journey", "encrypt"], key: key).code == 0)
            let file = try Data(contentsOf: URL(fileURLWithPath: journal(of: home)))
            #expect(file.range(of: Data("ZANZIBAR".utf8)) == nil)
            let without = try await run(["stats", "--range", "all"])
            #expect(without.code == 66 && without.errors.contains("BRIDGECAST_JOURNAL_KEY_FILE"))
            #expect(try await run(["journey", "list"], key: other).code == 65)
            for arguments in [
                ["favourite", "add", "commute", "--from", "Ballard", "--to", "Downtown"],
                ["remind", "add", "commute", "--by", "9:00"], ["stats", "--range", "all"],
            ] {
                #expect(try await run(arguments, key: key).code == 0, "\(arguments)")
            }
            let rekeyed = try await run(["journey", "rekey", "--new-key", other], key: key)
            #expect(rekeyed.code == 0, "\(rekeyed.errors)")
            let listed = try await CommandRun(
                ["journey", "list"], home: home,
                environment: ["HOME": home.path, "BRIDGECAST_JOURNAL_KEY_FILE": other])
            #expect(listed.code == 0 && listed.output.contains("ZANZIBAR"), "\(listed.errors)")
            // An export never replaces it.
            let over = try await run(["journey", "export", "-o", journal(of: home)], key: other)
            #expect(over.code == 64)
            #expect(try await run(["journey", "decrypt"], key: other).code == 0)
            #expect(try await run(["journey", "list"]).output.contains("ZANZIBAR"))
        }
    }

    @Test func mistakesHaveTheirExitCodes() async throws {
        try await withHome { home in
            let missing = try await CommandRun(["journey", "list"], home: home)
            #expect(missing.code == 66 && missing.errors.contains("there is no journal yet"))
            let wrong = try write("{\"format\": 1}", "wrong.json", in: home)
            let cases: [(Int32, [String])] = [
                (64, ["journey", "stop"]), (64, ["journey", "remove", "x"]),
                (64, ["journey", "start", "nowhere"]),
                (64, ["journey", "start", "a", "b", "--minutes", "5", "--at", "2030-01-01T10:00"]),
                (64, ["journey", "start", "a", "b", "--minutes", "-5", "--at", evening]),
                (64, ["journey", "limit", "0"]), (64, ["stats", "--zone", "Mars/Base"]),
                (64, ["favourite", "add", "x", "--from", "a"]),
                (65, ["journey", "import", wrong]), (66, ["journey", "import", "/nothing.json"]),
                (65, ["journey", "list", "--journal", wrong]),
                (74, ["journey", "limit", "5", "--journal", "/dev/null/journeys.sqlite"]),
            ]
            for (code, arguments) in cases {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code == code, "\(arguments): \(run.errors)")
                #expect(!run.errors.isEmpty)
            }
            let late = try await add("home", "work", day: 3, arrived: "07:00", in: home)
            #expect(late.code == 64 && late.errors.contains("ends before it starts"))
        }
    }

    @Test func hostileNamesAreShownSafely() async throws {
        try await withHome { home in
            let name = "\u{1b}[2Jhome\u{202e}"
            let added = try await add(name, "work", day: 3, in: home)
            let favourite = try await CommandRun(
                [
                    "favourite", "add", name, "--from", name, "--to", "work", "--mode", "transit",
                ], home: home)
            for run in [
                added, favourite, try await CommandRun(["journey", "list"], home: home),
                try await CommandRun(["favourite", "list"], home: home),
                try await CommandRun(["stats", "--range", "all"], home: home),
                try await CommandRun(["journey", "list", "--format", "json"], home: home),
            ] {
                #expect(run.code == 0, "\(run.errors)")
                #expect(!run.output.contains("\u{1b}") && !run.output.contains("\u{202e}"))
            }
        }
    }

    @Test func clearingRemovesOlderJourneysAndATrialNone() async throws {
        try await withHome { home in
            for day in [3, 5] { _ = try await add("home", "work", day: day, in: home) }
            let trial = try await CommandRun(
                ["journey", "clear", "--before", "2026-02-04", "--dry-run"], home: home)
            #expect(trial.output == "Would remove 1 journey before 2026-02-04T00:00:00-08:00\n")
            _ = try await CommandRun(["journey", "clear", "--before", "2026-02-04"], home: home)
            let list = try document(
                try await CommandRun(["journey", "list", "--format", "json"], home: home))
            #expect((list["journeys"] as? [Any])?.count == 1)
        }
    }

    /// An import is killed at many times: its 800 journeys are all there or none is, and the file stays whole.
    @Test func aKilledImportLeavesAllOrNothing() async throws {
        try await withHome { home in
            var lines = ["id,route,name,mode,planned_departure,planned_arrival,created_at"]
            let time = "2026-02-03T08:00:00-08:00"
            lines += (0..<800).map { "i\($0),car/a/b,a -> b,car,\(time),\(time),\(time)" }
            let file = try write(lines.joined(separator: "\n") + "\n", "many.csv", in: home)
            for step in 0..<12 {
                let path = home.path + "/killed-\(step).sqlite"
                let process = Process()
                process.executableURL = try CommandRun.binary()
                process.arguments = ["journey", "import", file, "--journal", path]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                try await Task.sleep(for: .milliseconds(8 * step))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                let url = URL(fileURLWithPath: path)
                guard FileManager.default.fileExists(atPath: path) else { continue }
                let store = try JourneyStore(url, .writing)
                defer { store.close() }
                #expect([0, 800].contains(try store.journeys().count))
            }
        }
    }
}
