// Places and times as people type them, in the commands.
import Foundation
import Testing
@testable import BridgecastCLI

@Suite struct TypedPlaceCommandTests: RunsCommands {
    private func predict(_ from: String, _ more: [String] = []) async throws -> CommandRun {
        try await run(
            ["predict", "--from=\(from)", "--to", "Fremont", "--at", "2026-02-20T18:02"] + more)
    }

    @Test(arguments: [
        ("Link", "'Link' could be", 64), ("91,0", "latitude 91 is not from -90 to 90", 64),
        ("1000 4th Ave", "house numbers are not known; give a corner of the street", 64),
        ("Sea-Tac", "'SeaTac Airport' is outside of these roads", 64),
        ("home", "no place is saved as 'home': write it to", 64),
    ])
    func `what is no start is refused with what to do`(
        _ example: (String, String, Int32)
    ) async throws {
        let run = try await predict(example.0)
        #expect(run.code == example.2 && run.output.isEmpty)
        #expect(run.errors.contains(example.1), "\(run.errors)")
    }

    @Test(arguments: [
        ("15th & Dravus", "15th Ave W & W Dravus St -> Fremont", "pass above each other"),
        ("Phinney", "Phinney Ridge -> Fremont", "'Phinney' is taken as Phinney Ridge"),
        ("2250 NW Market St", "NW Market St & 22nd Ave NW -> Fremont", "no house numbers"),
    ])
    func `a note shows what is assumed, and so does the JSON`(
        _ example: (String, String, String)
    ) async throws {
        let table = try await predict(example.0)
        #expect(table.code == 0 && table.output.contains(example.1), "\(table.errors)")
        #expect(table.errors.contains("bridgecast: note: ") && table.errors.contains(example.2))
        let source = try #require(
            try document(try await predict(example.0, ["--format", "json"]))["route_source"]
                as? [String: Any])
        let notes = try #require(source["notes"] as? [String])
        #expect(notes.count == 1 && notes[0].contains(example.2))
    }

    @Test(arguments: ["Ballard, Seattle, WA", "Ballard"])
    func `a name with its city has no note`(_ text: String) async throws {
        let run = try await predict(text)
        #expect(run.code == 0 && run.output.contains("Ballard -> Fremont"))
        #expect(!run.errors.contains(text), "\(run.errors)")
    }

    @Test func `roads find says what is assumed`() async throws {
        let found = try await run(["roads", "find", "2250 NW Market St"])
        #expect(found.output.contains("is NW Market St & 22nd Ave NW, on the road at"))
        #expect(found.output.contains("no house numbers"))
    }
}

@Suite struct TypedTimeCommandTests: RunsCommands {
    private let trip = ["--from", "Ballard", "--to", "Fremont"]

    /// The clock of the machine is now: today and tomorrow are its days in Seattle.
    private func day(_ offset: Double) -> String {
        let format = DateFormatter()
        format.timeZone = TimeZone(identifier: "America/Los_Angeles")
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "yyyy-MM-dd"
        return format.string(from: Date(timeIntervalSinceNow: offset))
    }

    @Test(arguments: [
        ("18:02", "18:02", 0.0), ("6pm", "18:00", 0), ("6:30 pm", "18:30", 0),
        ("today 18:00", "18:00", 0), ("tomorrow 9:00", "09:00", 86_400),
    ])
    func `a clock time is understood by every command with --at`(
        _ example: (String, String, Double)
    ) async throws {
        for command in [["predict"] + trip, ["depart"] + trip, ["bridge", "Fremont"]] {
            // Around midnight the day may change between the command and here.
            let before = day(example.2)
            let run = try await run(command + ["--at", example.0])
            #expect(run.code == 0, "\(command) \(run.errors)")
            let expected = [before, day(example.2)].map { "\($0) \(example.1)" }
            #expect(expected.contains { run.output.contains($0) }, "\(command): \(run.output)")
        }
    }

    @Test func `a deadline is the next such time after leaving`() async throws {
        for (typed, expected) in [
            ("18:30", "2026-02-20T18:30"), ("6:30 pm", "2026-02-20T18:30"),
            ("9am", "2026-02-21T09:00"),
        ] {
            let run = try await run(
                ["depart"] + trip + [
                    "--at", "2026-02-20T18:02", "--arrive-by", typed, "--format", "json",
                ])
            let deadline = try document(run)["arrive_by"] as? String
            #expect(deadline?.hasPrefix(expected) == true, "\(typed): \(run.errors)")
        }
    }

    @Test func `tomorrow is the same day for leaving and arriving`() async throws {
        let run = try await run(
            ["depart"] + trip + ["--at", "tomorrow 8:00", "--arrive-by", "tomorrow 9:00"])
        #expect(run.code == 0 && run.output.contains("\(day(86_400)) 09:00"), "\(run.errors)")
    }

    @Test(arguments: [
        (["--at", "9999-12-31T23:59"], "--at: '9999-12-31T23:59' is more than 366 days ahead"),
        (
            ["--arrive-by", "9999-12-31T23:59"],
            "--arrive-by: '9999-12-31T23:59' is more than 366 days ahead"
        ),
        (["--at", "half past six"], "write 18:02, 6:30 pm or 'tomorrow 9:00'"),
        (["--at", "2026-03-08T02:30"], "never happened in Seattle"),
        (["--at", "2025-11-02T01:30"], "happened twice in Seattle"),
    ])
    func `a time that cannot be is shown as it was typed`(
        _ example: ([String], String)
    ) async throws {
        let run = try await run(["predict"] + trip + example.0)
        #expect(run.code == 64 && run.errors.contains(example.1), "\(run.errors)")
    }

    @Test func `a board takes clock times of its feed, which is of a past winter`() async throws {
        let run = try await run(["board", "25243", "--at", "tomorrow 9:00"])
        #expect(run.code == 64 && run.errors.contains("choose a time of that winter"))
        let other = try await self.run(["board", "25243", "--at", "half past six"])
        #expect(other.code == 64 && other.errors.contains("write 18:02, 6:30 pm or"))
    }

    @Test(arguments: [
        ("90%", ", 90 % sure", 0.9), ("90 %", ", 90 % sure", 0.9),
        ("0.999", ", 99.9 % sure", 0.999),
        ("99.95%", ", 99.95 % sure", 0.9995), ("0.07", ", 7 % sure", 0.07),
    ])
    func `a confidence is a probability or percent, and shown in full`(
        _ example: (String, String, Double)
    ) async throws {
        let arguments =
            ["depart"] + trip + [
                "--at", "2026-02-20T07:30", "--arrive-by", "09:00", "--confidence", example.0,
            ]
        let table = try await run(arguments)
        #expect(table.output.contains(example.1), "\(table.errors) \(table.output)")
        let confidence = try document(try await run(arguments + ["--format", "json"]))["confidence"]
        #expect(confidence as? Double == example.2)
    }

    @Test(arguments: ["90", "100%", "0%", "0", "-5%"])
    func `a confidence of certainty or more is refused`(_ text: String) async throws {
        let run = try await run(["depart"] + trip + ["--confidence=\(text)"])
        #expect(run.code == 64)
        #expect(run.errors.contains("--confidence \(text) must be above 0 and below 1 (100 %)"))
    }
}

@Suite struct SavedPlaceTests {
    private func predict(
        from: String, to: String = "Fremont", saved text: String?, in folder: String = ".config"
    ) async throws -> (run: CommandRun, path: String) {
        var result: (CommandRun, String)?
        try await withHome { home in
            let file = home.appendingPathComponent("\(folder)/bridgecast/places.json")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            if let text { try Data(text.utf8).write(to: file) }
            let configuration = folder == ".config" ? nil : home.path + "/" + folder
            let run = try await CommandRun(
                ["predict", "--from", from, "--to", to, "--at", "2026-02-20T12:00"], home: home,
                environment: configuration.map { ["XDG_CONFIG_HOME": $0, "HOME": home.path] })
            result = (run, file.path)
        }
        return try #require(result)
    }

    private static let saved = """
        {
          "home": "2nd & Pine",
          "work": [47.6, -122.33],
          "Ballard": "Crown Hill"
        }
        """

    @Test(arguments: [
        ("home", "work", "2nd Ave & Pine St -> 47.6,-122.33"),
        ("Home", "Fremont", "2nd Ave & Pine St -> Fremont"),
        ("Ballard", "Fremont", "Crown Hill -> Fremont"),
        ("Phinney Ridge", "work", "Phinney Ridge -> 47.6,-122.33"),
    ])
    func `saved names are used before those of the map`(
        _ example: (String, String, String)
    ) async throws {
        let (run, _) = try await predict(from: example.0, to: example.1, saved: Self.saved)
        #expect(run.code == 0 && run.output.contains(example.2), "\(run.errors)")
        let (other, _) = try await predict(
            from: example.0, to: example.1, saved: Self.saved, in: "settings")
        #expect(other.output.contains(example.2), "\(other.errors)")
    }

    @Test func `without a file home says how to save it, and other places work`() async throws {
        let (run, path) = try await predict(from: "home", saved: nil)
        #expect(run.code == 64)
        #expect(
            run.errors.contains(
                "no place is saved as 'home': write it to \(path), such as {\"home\":"))
        let (ballard, _) = try await predict(from: "Ballard", saved: nil)
        #expect(ballard.code == 0)
        let (work, _) = try await predict(from: "work", saved: "{\"gym\": \"Ballard\"}")
        #expect(work.code == 64 && work.errors.contains("; it has gym"))
    }

    @Test(arguments: [
        ("{\"home\": \"2nd & Pine\",\n \"work\": 5}", "line 2, \"work\": should be text in quotes"),
        ("{\n\n\"work\": [47.6]}", "line 3, \"work\": is a list of 1; it should be"),
        ("{\"work\": [47.6, \"x\"]}", "line 1, \"work\": should be"),
        ("{\"work\": null}", "line 1, \"work\": should be"),
        ("{\"home\": \"a\",\n \"HOME\": \"b\"}", "line 2, \"HOME\": is there twice"),
        ("{\"--\": \"Ballard\"}", "line 1, \"--\": is no name"),
        ("{\"home\": \"2nd & Pine\"\n\"work\": 5}", "line 2: not valid JSON there"),
        ("{\"home\": \"2nd & Pine\"} {", "line 1: not valid JSON there"),
        ("{\"home\": \"2nd", "line 1: not valid JSON there"),
        ("[]", "line 1: not an object of names and places"), ("", "is empty"),
        ("{\n\"home\": \"Atlantis\"}", "line 2, \"home\": unknown place 'Atlantis'"),
        ("{\"home\": [91, 0]}", "line 1, \"home\": '91,0': the latitude 91"),
    ])
    func `an error about the file has its line`(
        _ example: (String, String)
    ) async throws {
        let (run, path) = try await predict(from: "home", saved: example.0)
        #expect(run.code == 65 && run.output.isEmpty, "\(run.errors)")
        #expect(run.errors.contains(path) && run.errors.contains(example.1), "\(run.errors)")
    }

    @Test func `a wrong file is a note to who names no place of it`() async throws {
        let (run, path) = try await predict(from: "Ballard", saved: "{\"home\": 5}")
        #expect(run.code == 0 && !run.output.isEmpty)
        #expect(run.errors.contains("note: ") && run.errors.contains(path), "\(run.errors)")
    }

    @Test func `a folder in place of the file is an I/O error`() async throws {
        try await withHome { home in
            let path = home.path + "/.config/bridgecast/places.json"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            let run = try await CommandRun(
                ["predict", "--from", "home", "--to", "Fremont"], home: home)
            #expect(run.code == 74 && run.errors.contains(path), "\(run.errors)")
        }
    }

    @Test func `roads find knows saved names`() async throws {
        try await withHome { home in
            try FileManager.default.createDirectory(
                atPath: home.path + "/.config/bridgecast", withIntermediateDirectories: true)
            _ = try write(Self.saved, ".config/bridgecast/places.json", in: home)
            let run = try await CommandRun(["roads", "find", "home"], home: home)
            #expect(run.output.contains("2nd Ave & Pine St, on the road at"), "\(run.errors)")
        }
    }
}
