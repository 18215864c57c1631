// `bridgecast alert`, and a replay that delivers what it asks for.
import BridgecastAlerts
import BridgecastCore
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Glibc
import Testing

@Suite struct AlertCommandTests: RunsCommands {
    private let hook = ["--webhook", "https://example.org/hook"]

    private func file(of home: URL) -> String {
        home.path + "/.local/share/bridgecast/alerts.sqlite"
    }

    @Test func aRuleIsAddedListedAndRemoved() async throws {
        try await withHome { home in
            let added = try await CommandRun(
                [
                    "alert", "add", "Fremont", "--up", "--still-up", "15,30", "--days", "mon-fri",
                    "--hours", "07:00-09:30", "--priority", "high",
                ] + hook, home: home)
            #expect(added.code == 0, "\(added.errors)")
            #expect(
                added.output.contains(
                    "for me: Fremont: up, still up after 15, 30 min; Mon-Fri 07:00-09:30, high, by webhook"
                ))
            #expect(added.output.contains("secret, shown only now: "))
            let attributes = try FileManager.default.attributesOfItem(atPath: file(of: home))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            // The address is known from now on, and the secret not shown again.
            let second = try await CommandRun(["alert", "add", "--line", "44"], home: home)
            #expect(second.code == 0 && !second.output.contains("secret"))
            let list = try await CommandRun(["alert", "list", "--format", "json"], home: home)
            let document = try document(list)
            let rules = try #require(document["rules"] as? [[String: Any]])
            #expect(
                rules.map { $0["about"] as? String } == [
                    "Fremont: up, still up after 15, 30 min", "line 44",
                ])
            // Of a webhook only the host is shown: its path may be a secret.
            #expect(!list.output.contains("/hook") && list.output.contains("example.org"))
            let id = try #require(rules[0]["id"] as? String)
            let removed = try await CommandRun(
                ["alert", "remove", String(id.prefix(8))], home: home)
            #expect(removed.output.contains("Removed Fremont"))
            let table = try await CommandRun(["alert", "list"], home: home)
            #expect(!table.output.contains("Fremont") && table.output.contains("line 44"))
            #expect(
                try await CommandRun(["alert", "remove", "--person", "me"], home: home).code == 0)
            #expect(try await CommandRun(["alert", "list"], home: home).output == "No rules.\n")
        }
    }

    @Test func aTestAndAPauseAreKeptForTheService() async throws {
        try await withHome { home in
            _ = try await CommandRun(["alert", "add", "Ballard"] + hook, home: home)
            #expect(try await CommandRun(["alert", "test"], home: home).code == 0)
            let log = try await CommandRun(["alert", "log", "--format", "json"], home: home)
            let alerts = try #require(try document(log)["alerts"] as? [[String: Any]])
            #expect(alerts.map { $0["kind"] as? String } == ["test"])
            #expect(alerts.map { $0["status"] as? String } == ["waiting"])
            let pause = try await CommandRun(["alert", "pause", "hour"], home: home)
            #expect(pause.output.contains("me: no alerts below critical until "))
            #expect(
                try await CommandRun(["alert", "list"], home: home).output.contains(
                    "me has a pause until "))
            #expect(
                try await CommandRun(["alert", "pause", "off"], home: home).output
                    == "me: no pause\n")
        }
    }

    @Test(arguments: [
        (["Ballad"] + ["--webhook", "https://example.org/"], "unknown bridge 'Ballad'"),
        (["Ballard"], "has no address yet"),
        (["Ballard", "--webhook", "ftp://example.org/"], "write an address such as"),
        (["Ballard", "--ntfy", "https://ntfy.sh"], "write the topic too"),
        (["Ballard", "--command", "notify-send"], "as an absolute path"),
        (["Ballard", "--days", "funday", "--stream"], "is not such as mon-fri"),
        (["Ballard", "--hours", "25:00-26:00", "--stream"], "is not such as 07:00-09:30"),
        (["Ballard", "--likely", "2", "--stream"], "above 0 and at most 1"),
        (["Ballard", "--still-up", "x", "--stream"], "is not minutes"),
        (["--stream"], "write a bridge, --leave-by, --line or --reminders"),
        (
            ["Ballard", "--line", "44", "--stream"],
            "'Ballard' and --line are several subjects: a rule has one"
        ),
        (["--reminders", "--line", "44"], "--line and --reminders are several subjects"),
        (["--up", "--line", "44"], "--up needs a bridge"),
        (["--up", "--likely", "0.5", "--stream"], "--up and --likely need a bridge"),
        (["Ballard", "--lead", "5", "--stream"], "--lead needs --leave-by"),
        (["Ballard", "--key", "/nowhere", "--stream"], "--key needs --reminders"),
        (["Ballard", "--journal", "j", "--stream"], "--journal needs --reminders"),
        (["Ballard", "--hours", "07:00-07:00", "--stream"], "the hours end when they begin"),
        (["Ballard", "--person", "", "--stream"], "--person: write a name"),
        (["--leave-by", "07:40", "--lead", "1e30", "--stream"], "must be 0 to 86400 seconds"),
        (["--reminders", "--journal", "", "--stream"], "an empty path names no file"),
        (
            ["Ballard", "--stream", "--webhook", "https://example.org/"],
            "--webhook and --stream are several addresses"
        ),
    ]) func whatIsWrongIsNamedAndNothingIsKept(_ example: ([String], String)) async throws {
        try await withHome { home in
            let run = try await CommandRun(["alert", "add"] + example.0, home: home)
            #expect(run.code == 64 && run.errors.contains(example.1), "\(run.errors)")
            let list = try await CommandRun(["alert", "list"], home: home)
            #expect(list.code != 0 || list.output == "No rules.\n")
        }
    }

    @Test func aRuleAboutRemindersNeedsAJournalThatCanBeRead() async throws {
        try await withHome { home in
            for (path, code) in [
                ("/nowhere/journeys.sqlite", Int32(66)), ("/bin/ls", 65), (home.path, 65),
                ("/dev/null", 65),
            ] {
                let run = try await CommandRun(
                    ["alert", "add", "--reminders", "--stream", "--journal", path], home: home)
                #expect(run.code == code, "\(path): \(run.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: file(of: home)))
        }
    }

    @Test func theSameRuleAgainIsTheOneThatIsThere() async throws {
        try await withHome { home in
            let words = ["alert", "add", "Fremont", "--up"] + hook
            let first = try await CommandRun(words, home: home)
            let again = try await CommandRun(words, home: home)
            #expect(again.code == 0, "\(again.errors)")
            let id = try #require(first.output.split(separator: " ").dropFirst().first)
            #expect(again.output.hasPrefix("Rule \(id) for me is there already"))
            #expect(!again.output.contains("secret"))
            let list = try await CommandRun(["alert", "list"], home: home)
            #expect(list.output.split(separator: "\n").count == 3, "\(list.output)")
        }
    }

    /// An address is named once, and a journal is no more than what tells it from others.
    @Test func theTableOfRulesIsShort() async throws {
        try await withHome { home in
            let deep = home.path + "/" + String(repeating: "deep/", count: 20) + "j.sqlite"
            for journal in [[], ["--journal", deep]] {
                _ = try await CommandRun(
                    ["favourite", "add", "a", "--line", "44", "--stop", "1"] + journal, home: home)
                let added = try await CommandRun(
                    ["alert", "add", "--reminders", "--stream"] + journal, home: home)
                #expect(added.code == 0, "\(added.errors)")
            }
            let table = try await CommandRun(["alert", "list"], home: home).output
            #expect(table.contains(/me +stream +reminders of your journal +every day +normal/))
            #expect(table.contains(/reminders of .+ … .*j.sqlite +every day/))
            #expect(table.split(separator: "\n").allSatisfy { $0.count <= 130 }, "\(table)")
        }
    }

    @Test func aRuleWhoseJournalCannotBeReadIsListedWithTheReason() async throws {
        try await withHome { home in
            func run(_ arguments: [String]) async throws -> CommandRun {
                try await CommandRun(arguments, home: home)
            }
            let key = home.path + "/key"
            let journal = home.path + "/.local/share/bridgecast/journeys.sqlite"
            for arguments in [
                ["favourite", "add", "bus", "--line", "44", "--stop", "1"],
                ["alert", "add", "--reminders", "--stream"], ["journey", "key", "make", key],
            ] {
                #expect(try await run(arguments).code == 0, "\(arguments)")
            }
            #expect(try await !run(["alert", "list"]).output.contains("cannot be read here"))
            #expect(try await run(["journey", "encrypt", "--key", key]).code == 0)
            let encrypted = try await run(["alert", "list"])
            #expect(
                encrypted.output.contains(
                    /\nThe journal of rule \w+ cannot be read here.*is encrypted/),
                "\(encrypted.output)")
            try FileManager.default.removeItem(atPath: journal)
            let gone = try await run(["alert", "list"])
            #expect(gone.code == 0 && gone.output.contains("sqlite: there is no journal\n"))
            let json = try document(try await run(["alert", "list", "--format", "json"]))
            let rules = try #require(json["rules"] as? [[String: Any]])
            #expect((rules[0]["problem"] as? String)?.contains("there is no journal") == true)
        }
    }

    @Test func valuesAreTypedAsForReminders() async throws {
        try await withHome { home in
            let first = try await CommandRun(
                ["alert", "add", "Ballard", "--likely", "50%", "--days", "workdays"] + hook,
                home: home)
            #expect(first.output.contains("likely from 50 %; Mon-Fri"), "\(first.errors)")
            let leads = [
                ("10min", 600), ("90s", 90), ("600", 600), ("0.5h", 1800), ("11 minutes", 660),
            ]
            for (lead, seconds) in leads {
                let run = try await CommandRun(
                    ["alert", "add", "--leave-by", "07:40", "--for", lead, "--lead", lead],
                    home: home)
                #expect(run.output.contains(", \(seconds) s ahead"), "\(run.output)\(run.errors)")
            }
            let weekend = try await CommandRun(
                ["alert", "add", "Fremont", "--days", "sat+sun"], home: home)
            #expect(weekend.output.contains("Sat,Sun"))
        }
    }

    @Test func aProgramThatIsNotThereIsMissing() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                ["alert", "add", "Ballard", "--command", "/nonexist"], home: home)
            #expect(run.code == 66 && run.errors.contains("there is no file /nonexist"))
            #expect(!FileManager.default.fileExists(atPath: file(of: home)))
        }
    }

    @Test func aFileThatIsReadOnlyIsNamedWithWhatToDo() async throws {
        try await withHome { home in
            _ = try await CommandRun(["alert", "add", "Fremont"] + hook, home: home)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o400], ofItemAtPath: file(of: home))
            let refused = try await CommandRun(["alert", "add", "Ballard"], home: home)
            #expect(refused.code == 74, "\(refused.errors)")
            #expect(refused.errors.contains("\(file(of: home)): cannot be written"))
            #expect(refused.errors.contains("`chmod u+w`"))
            #expect(try await CommandRun(["alert", "list"], home: home).code == 0)
        }
    }

    /// A recorded afternoon on which Montlake Bridge is up from 15:06 to 15:11, as fast as a minute a second.
    @Test func aReplayDeliversToALocalProgramWhenTheBridgeGoesUp() async throws {
        try await withHome { home in
            let got = try await delivered(
                ["Montlake", "--up"], replaying: "2018-01-04T15:05/2018-01-04T16:00", home)
            #expect(got == "Montlake Bridge went up at 15:06 PST.\n")
        }
    }

    @Test func aReplayRemindsOnceOfTheTimeToLeave() async throws {
        try await withHome { home in
            for arguments in [
                ["favourite", "add", "work", "--from", "Ballard", "--to", "Downtown"],
                ["remind", "add", "work", "--by", "18:28", "--days", "daily"],
            ] {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code == 0, "\(run.errors)")
            }
            let got = try await delivered(
                ["--reminders"], replaying: "2026-02-20T17:58/2026-02-20T18:30", home)
            #expect(got.hasPrefix("Leave by 18:0") && got.count { $0 == "\n" } == 1, "\(got)")
            #expect(got.contains(" to be there by 18:28, 9"), "\(got)")
        }
    }

    /// What a program got by a rule from two services after each other that replay the same time.
    private func delivered(
        _ rule: [String], replaying period: String, _ home: URL
    ) async throws -> String {
        let alerts = home.path + "/try.sqlite"
        let script = home.appendingPathComponent("take")
        try Data("#!/bin/sh\necho \"$BRIDGECAST_ALERT_TEXT\" >> \(home.path)/got\n".utf8)
            .write(to: script)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: script.path)
        let added = try await CommandRun(
            ["alert", "add"] + rule
                + ["--priority", "critical", "--command", script.path, "--alerts", alerts],
            home: home)
        #expect(added.code == 0, "\(added.errors)")
        for _ in 1...2 {
            let service = Process()
            service.executableURL = try CommandRun.binary("bridgecast-server")
            service.arguments = [
                "serve", "--replay", period, "--speed", "60", "--port", "0", "--no-page",
                "--alerts", alerts,
            ]
            service.environment = ProcessInfo.processInfo.environment.merging([
                "HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path,
            ]) { $1 }
            service.standardOutput = FileHandle.nullDevice
            service.standardError = FileHandle.nullDevice
            try service.run()
            for _ in 1...200 where try finished(alerts) == 0 {
                try await Task.sleep(for: .milliseconds(100))
            }
            // Past the next looks.
            try await Task.sleep(for: .seconds(3))
            kill(service.processIdentifier, SIGKILL)
        }
        #expect(try finished(alerts) == 1)
        return try String(contentsOf: home.appendingPathComponent("got"), encoding: .utf8)
    }

    /// As in a service with people and alerts: closing any descriptor of a file drops all of a process's locks on it.
    @Test func aCommandKeepsTheLogOfAProcessThatHasTheFileOpenTwice() async throws {
        try await withHome { home in
            let url = home.appendingPathComponent("try.sqlite")
            let store = try AlertStore(url, .writing)
            let other = try AlertStore(url, .writing)
            defer { other.close() }
            for number in 1...3 {
                let added = try await CommandRun(
                    process: [
                        "alert", "add", "Montlake", "--up", "--person", "p\(number)", "--command",
                        "/bin/true", "--alerts", url.path,
                    ], home: home)
                #expect(added.code == 0, "\(added.errors)")
                _ = try store.add(to: "own", .command(["/bin/true"])) { subscriber in
                    AlertRule(
                        id: "own\(number)", subscriber: subscriber, subject: .line("\(number)"),
                        createdAt: .now)
                }
            }
            let list = try await CommandRun(
                process: ["alert", "list", "--alerts", url.path, "--format", "json"], home: home)
            #expect((try document(list)["rules"] as? [Any])?.count == 6)
            store.close()
            #expect(try other.rules().count == 6)
        }
    }

    /// How many alerts have a final status.
    private func finished(_ path: String) throws -> Int {
        let store = try AlertStore(URL(fileURLWithPath: path), .reading)
        defer { store.close() }
        return try store.log().count { $0.status.isFinal }
    }
}
