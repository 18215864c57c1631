// What commands say and do where a journal, its key, its disk or another file is not as it should be.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JournalStateTests: RunsCommands {
    @discardableResult
    private func run(
        _ arguments: [String], _ home: URL, code: Int32 = 0, key: String? = nil
    ) async throws -> CommandRun {
        let run =
            if let key {
                try await CommandRun(
                    arguments, home: home,
                    environment: ["HOME": home.path, "BRIDGECAST_JOURNAL_KEY_FILE": key])
            } else {
                try await CommandRun(arguments, home: home)
            }
        #expect(run.code == code, "\(arguments): \(run.errors)")
        return run
    }

    private let commute = ["favourite", "add", "work", "--from", "Ballard", "--to", "Downtown"]

    // MARK: Keys

    @Test func aMessageNamesWhatHasNamedTheKey() async throws {
        try await withHome { home in
            let keys = [home.path + "/k1", home.path + "/k2"]
            for key in keys { try await run(["journey", "key", "make", key], home) }
            let list = ["favourite", "list"]
            try await run(commute, home)
            let option = try await run(list + ["--key", keys[0]], home, code: 65)
            #expect(
                option.errors.contains("leave out --key, or encrypt it with `bridgecast journey"))
            let variable = try await run(list, home, code: 65, key: keys[0])
            #expect(variable.errors.contains("leave out BRIDGECAST_JOURNAL_KEY_FILE"))
            try await run(["journey", "encrypt", "--key", keys[0]], home)
            let none = try await run(list, home, code: 66)
            #expect(none.errors.contains("with --key or BRIDGECAST_JOURNAL_KEY_FILE"))
            let other = try await run(list + ["--key", keys[1]], home, code: 65)
            #expect(other.errors.contains("another key than that of --key;"))
            let otherVariable = try await run(list, home, code: 65, key: keys[1])
            #expect(otherVariable.errors.contains("than that of BRIDGECAST_JOURNAL_KEY_FILE;"))
            try await run(list, home, key: keys[0])
        }
    }

    @Test func aKeyNeedsAFile() async throws {
        try await withHome { home in
            let empty = try await run(["journey", "key", "make", ""], home, code: 64)
            #expect(empty.errors.contains("name the file to write"))
        }
    }

    // MARK: Files

    @Test func contentThatIsTooLargeIsWrongContent() async throws {
        try await withHome { home in
            let large = home.path + "/large"
            try Data(count: 1 << 20).write(to: URL(fileURLWithPath: large))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: large)
            try await run(commute, home)
            let settings = try await run(["settings", "import", large], home, code: 65)
            #expect(settings.errors.contains("the maximum is"))
            try await run(["favourite", "list", "--key", large], home, code: 65)
            try await run(
                [
                    "alert", "add", "Ballard", "--webhook", "https://a.example/", "--secret-file",
                    large,
                ],
                home, code: 65)
            try await run(["settings", "import", home.path], home, code: 74)
        }
    }

    @Test func aBrokenFileOfDiagnosticsIsAFinding() async throws {
        try await withHome { home in
            try await run(commute, home)
            let store = home.path + "/history.sqlite"
            func findings() async throws -> [[String: Any]] {
                let run = try await CommandRun(
                    ["doctor", "--store", store, "--format", "json"], home: home)
                let all = try #require(try document(run)["findings"] as? [[String: Any]])
                return all.filter { $0["subject"] as? String == "diagnostics" }
            }
            #expect(try await findings().isEmpty)
            for text in ["{", #"{"errors": 3, "feeds": []}"#] {
                _ = try write(text, "diagnostics.json", in: home)
                let found = try #require(try await findings().first)
                #expect(found["severity"] as? String == "warning")
                #expect((found["finding"] as? String)?.contains("diagnostics.json: ") == true)
                #expect((found["advice"] as? String)?.contains("remove the file") == true)
            }
        }
    }

    // MARK: Reminders

    @Test func whatGoesWithAFavouriteIsSaid() async throws {
        try await withHome { home in
            try await run(commute, home)
            try await run(["remind", "add", "work", "--by", "9:00"], home)
            let removed = try await run(["favourite", "remove", "work"], home)
            let lines = removed.output.split(separator: "\n")
            #expect(lines.count == 2 && lines[0] == "Removed work")
            #expect(lines.last?.contains("Removed its reminder ") == true)
            #expect(lines.last?.contains("there by 09:00") == true)
            try await run(commute, home)
            #expect(
                try await run(["favourite", "remove", "work"], home).output == "Removed work\n")
        }
    }

    @Test func aTimeToLeaveOnAnotherDayHasItsDate() async throws {
        try await withHome { home in
            try await run(commute, home)
            for time in ["9:00", "18:35"] {
                try await run(["remind", "add", "work", "--by", time, "--days", "daily"], home)
            }
            let next = try await run(["remind", "next", "--at", "2026-02-20T17:58"], home)
            let rows = next.output.split(separator: "\n").dropFirst(2)
            #expect(rows.first?.hasPrefix("18:1") == true, "\(next.output)")
            #expect(rows.last?.hasPrefix("Sat 2026-02-21 08:") == true, "\(next.output)")
        }
    }

    // MARK: Disk

    /// Whether this user may mount a file system of their own, in a namespace.
    private static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// SQLite's index of a log is a file of 32 KiB, for which there is no room.
    @Test(.enabled(if: canMount, "it takes the permission to mount"), arguments: [false, true])
    func aJournalOnAFullDiskIsRead(hasLog: Bool) async throws {
        try await withHome { home in
            try await run(commute, home)
            let disk = home.appendingPathComponent("disk")
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
            let journal = home.path + "/.local/share/bridgecast/journeys.sqlite"
            // A process that is killed leaves its changes in the log.
            let change = """
                import sqlite3, os
                journal = sqlite3.connect("\(disk.path)/j.sqlite")
                journal.execute("UPDATE favourite SET name = 'office', folded = 'office'")
                journal.commit()
                os._exit(0)
                """
            let script = """
                mount -t tmpfs -o size=400k tmpfs \(disk.path) && cp \(journal) \(disk.path)/j.sqlite
                \(hasLog ? "python3 -c '\(change.replacing("'", with: "'\\''"))'" : "")
                rm -f \(disk.path)/j.sqlite-shm
                dd if=/dev/zero of=\(disk.path)/fill bs=1k count=1000 status=none 2>/dev/null
                \(try CommandRun.binary().path) favourite list --journal \(disk.path)/j.sqlite
                echo "code $?"
                \(try CommandRun.binary().path) favourite remove work --journal \(disk.path)/j.sqlite
                echo "code $?"
                """
            let run = try await CommandRun(
                process: ["-m", "sh", "-c", script], home: home, executable: "/usr/bin/unshare")
            let name = hasLog ? "office" : "work"
            #expect(run.output.contains("1  \(name)  Ballard -> Downtown"), "\(run.errors)")
            let codes = run.output.split(separator: "\n").filter { $0.hasPrefix("code") }
            #expect(codes.first == "code 0", "\(run.errors)")
            if !hasLog {
                #expect(codes.last == "code 74" && run.errors.contains("the disk is full"))
            }
        }
    }
}
