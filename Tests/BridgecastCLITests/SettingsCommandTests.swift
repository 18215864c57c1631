// `bridgecast settings`, and what settings and switched features do to other commands.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct SettingsCommandTests: RunsCommands {
    @discardableResult
    private func run(
        _ arguments: [String], _ home: URL, code: Int32 = 0
    ) async throws -> CommandRun {
        let run = try await CommandRun(arguments, home: home)
        #expect(run.code == code, "\(arguments): \(run.errors)")
        return run
    }

    private let day = ["--departed", "2026-02-03T08:00", "--arrived", "2026-02-03T08:20"]

    private func add(_ from: String, in home: URL, code: Int32 = 0) async throws -> CommandRun {
        try await run(["journey", "add", from, "work", "--minutes", "15"] + day, home, code: code)
    }

    @Test func settingsAreShownSetAndReset() async throws {
        try await withHome { home in
            let none = try await run(["settings", "show"], home)
            #expect(none.errors.contains("there is no journal yet: these are the defaults"))
            #expect(none.output.contains(/keep-history +no/))
            #expect(none.output.contains(/lead +5 min/))
            let set = try await run(
                [
                    "settings", "set", "--keep-history", "--refresh", "manual", "--lead", "7.5",
                    "--no-announce-moves",
                ], home)
            let shown = try await run(["settings", "show"], home)
            #expect(shown.output == set.output)
            #expect(shown.output.contains(/keep-history +yes/))
            #expect(shown.output.contains(/keep-location +no/))
            #expect(shown.output.contains(/lead +7.5 min/))
            let json = try document(try await run(["settings", "show", "--format", "json"], home))
            #expect(json["keeps_history"] as? Bool == true && json["refresh_min"] as? Int == 0)
            #expect(json["reminder_lead_s"] as? Int == 450)
            let reset = try await run(["settings", "reset", "--format", "json"], home)
            #expect(try document(reset)["keeps_history"] as? Bool == false)
            for wrong in [
                ["set"], ["set", "--lead", "121"], ["set", "--lead", "-1"],
                ["set", "--refresh", "3"],
            ] {
                try await run(["settings"] + wrong, home, code: 64)
            }
        }
    }

    @Test func anExportIsPrivateAndImportedWholeOrNotAtAll() async throws {
        try await withHome { home in
            try await run(["settings", "set", "--keep-history", "--lead", "10"], home)
            let file = home.appendingPathComponent("settings.json")
            try await run(["settings", "export", "-o", file.path], home)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let other = ["--journal", home.path + "/other.sqlite"]
            try await run(["settings", "import", file.path] + other, home)
            let first = try await run(["settings", "export"], home)
            let second = try await run(["settings", "export"] + other, home)
            #expect(first.output == second.output)
            #expect(try String(contentsOf: file, encoding: .utf8) == first.output)
            try first.output.replacing("600", with: "99999").replacing("true", with: "false")
                .write(to: file, atomically: true, encoding: .utf8)
            let refused = try await run(["settings", "import", file.path], home, code: 65)
            #expect(refused.errors.contains("settings.json: line 5: reminder_lead_s: '99999'"))
            #expect(try await run(["settings", "export"], home).output == first.output)
            try await run(["settings", "import", home.path + "/none.json"], home, code: 66)
        }
    }

    @Test func newFavouritesAndRemindersTakeTheDefaultsOfTheSettings() async throws {
        try await withHome { home in
            try await run(["settings", "set", "--refresh", "10", "--lead", "20"], home)
            try await run(
                ["favourite", "add", "commute", "--from", "Ballard", "--to", "Downtown"], home)
            try await run(
                ["favourite", "add", "bus", "--line", "44", "--stop", "1", "--refresh", "1"], home)
            let favourites = try await run(["favourite", "list"], home)
            #expect(favourites.output.contains(/commute .* 10 min/))
            #expect(favourites.output.contains(/bus .* 1 min/))
            let own = try await run(["remind", "add", "commute", "--by", "9:00"], home)
            #expect(own.output.contains("; 20 min before leaving"))
            let stated = try await run(
                ["remind", "add", "commute", "--by", "9:30", "--lead", "0"], home)
            #expect(stated.output.contains("; 0 min before leaving"))
        }
    }

    @Test func whatIsEnteredByHandNeedsNoConsentAndTrackingStopsIt() async throws {
        try await withHome { home in
            _ = try await add("home", in: home)
            try await run(["settings", "set", "--no-track-journeys"], home)
            let refused = try await add("gym", in: home, code: 64)
            #expect(refused.errors.contains("`bridgecast settings set --track-journeys`"))
            let list = try await run(["journey", "list"], home)
            #expect(list.output.contains("home -> work") && !list.output.contains("gym"))
        }
    }

    @Test func coordinatesNeedConsentAndGoWithIt() async throws {
        try await withHome { home in
            let point = "47.66871,-122.37612"
            let refused = try await add(point, in: home, code: 64)
            #expect(refused.errors.contains("`bridgecast settings set --keep-location`"))
            try await run(["settings", "set", "--keep-location"], home)
            _ = try await add(point, in: home)
            try await run(["favourite", "add", "own", "--from", point, "--to", "Downtown"], home)
            try await run(["remind", "add", "own", "--by", "9:00"], home)
            let withdrawn = try await run(["settings", "set", "--no-keep-location"], home)
            #expect(
                withdrawn.errors.contains(
                    "removed with their coordinates: 1 journey, 1 favourite with 1 reminder"
                ))
            #expect(try await run(["journey", "list"], home).output == "No journeys.\n")
        }
    }

    // MARK: Features

    private func switchFeatures(_ fields: String, in home: URL) throws {
        let folder = home.appendingPathComponent(".config/bridgecast")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try #"{"format": "bridgecast-features", "version": 1, \#(fields)}"#.write(
            to: folder.appendingPathComponent("features.json"), atomically: true, encoding: .utf8)
    }

    @Test func featuresAreSwitchedByAFileOfTheUser() async throws {
        try await withHome { home in
            _ = try await add("home", in: home)
            try await run(["settings", "set", "--keep-history"], home)
            try await run(["stats", "--range", "all"], home)
            try switchFeatures(#""statistics": false"#, in: home)
            let off = try await run(["stats", "--range", "all"], home, code: 64)
            #expect(off.errors.contains("statistics are not switched on"))
            try await run(["stats", "--range", "all", "--learned"], home)
            try switchFeatures(#""phase": 1"#, in: home)
            let learned = try await run(["stats", "--range", "all", "--learned"], home, code: 64)
            #expect(learned.errors.contains("learned_pace is not switched on"))
            try switchFeatures(#""statistic": false"#, in: home)
            let wrong = try await run(["stats"], home, code: 65)
            // What asks for no feature goes on.
            try await run(["favourite", "list"], home)
            try await run(["journey", "list"], home)
            #expect(
                wrong.errors.contains(
                    "field 'statistic' is unknown; the features are journal_page, "))
        }
    }

    @Test func aServiceShowsItsFeaturesAndRefusesAWrongFile() async throws {
        try await withHome { home in
            let people = home.path + "/people"
            try await run(["token", "add", "Ann", "--people", people], home)
            let file = home.appendingPathComponent("features.json")
            let key = "a key that no one can guess"
            try
                #"{"format": "bridgecast-features", "version": 1, "phase": 1, "key": "\#(key)", "learned_pace": 12.5}"#
                .write(to: file, atomically: true, encoding: .utf8)
            let serve = ["serve", "--check", "--replay", "2026-02-20", "--people", people]
            let check = try await run(serve + ["--features", file.path], home)
            #expect(
                check.output.contains(
                    "features: journal_page on, statistics on, learned_pace 12.5 %, moved_announcements off"
                ))
            #expect(!check.output.contains(key))
            try "{}".write(to: file, atomically: true, encoding: .utf8)
            try await run(serve + ["--features", file.path], home, code: 65)
            let alone = ["serve", "--check", "--replay", "2026-02-20", "--features", file.path]
            let needs = try await run(alone, home, code: 64)
            #expect(needs.errors.contains("--features needs --people"))
        }
    }
}
