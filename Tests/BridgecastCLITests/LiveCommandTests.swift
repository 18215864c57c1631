// `sync`, `watch`, `replay`, `doctor` and `history` against stand-in feeds.
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct LiveCommandTests {
    private func withServer(_ body: (URL, String) async throws -> Void) async throws {
        try await withHome { home in
            try await body(home, try StandIn.shared.get().address)
        }
    }

    @Test func syncedOpeningsAreCheckedExportedAndReadAgain() async throws {
        try await withServer { home, address in
            let first = try await CommandRun(
                ["sync", "--host", "\(address)/ok", "--page-rows", "900"], home: home)
            #expect(
                first.code == 0 && first.output.contains("3245  new openings"), "\(first.errors)")
            let again = try await CommandRun(
                ["sync", "--host", "\(address)/ok", "--format", "json"], home: home)
            #expect(again.code == 0 && again.output.contains("\"added\" : 0"))
            let all = try await CommandRun(
                ["sync", "--all", "--host", "\(address)/ok"], home: home)
            #expect(all.code == 0 && all.output.contains("3245  unchanged"), "\(all.errors)")
            #expect(
                all.output.contains(
                    "all                     3245  2025-01-01T15:39:00-08:00  2026-02-28T16:47:00-08:00"
                ), "\(all.output)")
            let doctor = try await CommandRun(["doctor"], home: home)
            #expect(
                doctor.code == 0 && doctor.output.contains("Fremont: 1052 openings"),
                "\(doctor.output)")
            let out = home.appendingPathComponent("all.csv").path
            let export = try await CommandRun(["history", "export", "-o", out], home: home)
            #expect(export.code == 0)
            let copy = home.appendingPathComponent("copy.sqlite").path
            let ingest = try await CommandRun(["ingest", out, "--store", copy], home: home)
            let rows =
                try String(contentsOfFile: out, encoding: .utf8).split(separator: "\n").count - 1
            #expect(ingest.output.contains("\(rows)  new openings"), "\(ingest.output)")
            let second = try await CommandRun(
                ["history", "export", "--store", copy, "--format", "ndjson"], home: home)
            #expect(second.output.split(separator: "\n").count == rows)
            let line = try #require(second.output.split(separator: "\n").first)
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["entityname"] as? String == "1st Ave South")
            let pruned = try await CommandRun(
                ["history", "prune", "--before", "2026-01-01", "--of", "all", "--dry-run"],
                home: home)
            #expect(pruned.code == 0 && pruned.output.contains("would be removed"))
            let backup = try await CommandRun(
                ["history", "backup", home.appendingPathComponent("b.sqlite").path], home: home)
            #expect(backup.code == 0)
        }
    }

    @Test func theDoctorKnowsTheMachineTheFeedsAndTheLastErrors() async throws {
        try await withServer { home, address in
            // On a busy machine the first request is not sent in the first seconds.
            func watch(_ path: String, until code: Int32, andDoctorSays words: String) async throws
            {
                for seconds in ["2", "10", "60", "200"] {
                    let run = try await CommandRun(
                        ["watch", "--bridges-url", address + path, "--seconds", seconds],
                        home: home)
                    let doctor = try await CommandRun(["doctor"], home: home)
                    if run.code == code, doctor.output.contains(words) { return }
                }
                Issue.record("the doctor does not say: \(words)")
            }
            try await watch(
                "/500/bridges", until: 74,
                andDoctorSays: "warning   feed bridges: it answered with HTTP status 500")
            let doctor = try await CommandRun(["doctor", "--format", "json"], home: home)
            let report = try #require(
                JSONSerialization.jsonObject(with: Data(doctor.output.utf8)) as? [String: Any])
            #expect(report["version"] as? String == BridgecastVersion.current)
            let system = try #require(report["system"] as? [String: Any])
            let kernel = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
            #expect(
                system["kernel"] as? String
                    == kernel.trimmingCharacters(in: .whitespacesAndNewlines))
            let device = try #require(report["device"] as? [String: Any])
            #expect((device["cpu"] as? String)?.isEmpty == false)
            #expect(device["cores"] as? Int == ProcessInfo.processInfo.activeProcessorCount)
            let memory = try #require(report["memory"] as? [String: Any])
            #expect((memory["resident_bytes"] as? Int ?? 0) > 1 << 20)
            let network = try #require(report["network"] as? [String: Any])
            let feeds = try #require(network["feeds"] as? [[String: Any]])
            #expect(feeds.map { $0["id"] as? String } == ["bridges"])
            #expect(feeds.first?["is_reachable"] as? Bool == true, "a status is an answer")
            #expect(feeds.first?["problem"] as? String == "it answered with HTTP status 500")
            let condition = try #require(network["condition"] as? String)
            #expect(NetworkCondition(rawValue: condition) != nil)
            let errors = try #require(report["last_errors"] as? [[String: Any]])
            let error = try #require(errors.first { $0["source"] as? String == "bridges" })
            #expect(error["result"] as? String == "retry_scheduled")
            #expect((error["recovery"] as? String)?.hasSuffix(".") == true)
            #expect(!doctor.output.contains("127.0.0.1"))
            let text = try await CommandRun(["doctor"], home: home)
            #expect(text.output.contains("-> \(error["recovery"] as? String ?? "?")"))
            try await watch(
                "/ok/bridges", until: 0, andDoctorSays: "ok        feed bridges: last answered ")
            let after = try await CommandRun(["doctor"], home: home)
            #expect(!after.output.contains("bridges: it answered with HTTP status 500"))
        }
    }

    @Test func failuresEndWithTheirCodeAndOneLine() async throws {
        try await withServer { home, address in
            let nowhere = home.appendingPathComponent("none.sqlite").path
            for (arguments, code, words) in [
                (["sync", "--host", "ftp://x"], 64, "is not an address"),
                (
                    ["sync", "--host", "http://127.0.0.1:1", "--attempts", "1"], 74,
                    "cannot be reached"
                ),
                (
                    ["sync", "--host", "\(address)/loop", "--attempts", "2"], 65,
                    "redirects in a circle"
                ),
                (["sync", "--host", "\(address)/html", "--attempts", "1"], 74, "not valid JSON"),
                (
                    ["sync", "--host", "\(address)/message", "--attempts", "1"], 74,
                    "the server says: no such dataset"
                ),
                (
                    ["sync", "--host", "\(address)/message-404", "--attempts", "1"], 65,
                    "the server says: Not found (HTTP 404); check the address"
                ),
                (["history", "export", "--store", nowhere], 66, "there is no such store"),
                (["history", "prune", "--before", "soon"], 64, "is not a time"),
                (["watch", "--refresh", "3"], 64, "must be one of live, manual"),
                (["replay", "--from", "2026-02-20", "--to", "2026-02-19"], 64, "before --from"),
                (["replay", "--speed=-1"], 64, "is neither a number"),
                (["predict", "--traffic-file", nowhere], 66, "no such file"),
            ] as [([String], Int32, String)] {
                let run = try await CommandRun(arguments, home: home)
                #expect(run.code == code, "\(arguments): \(run.code) \(run.errors)")
                let last = run.errors.split(separator: "\n").last ?? ""
                #expect(last.hasPrefix("bridgecast: error:") && last.contains(words), "\(last)")
            }
            try Data("no database at all, but long enough to be one".utf8)
                .write(to: URL(fileURLWithPath: nowhere))
            let doctor = try await CommandRun(["doctor", "--store", nowhere], home: home)
            #expect(
                doctor.code == 65 && doctor.output.contains("ERROR") && doctor.output.contains("->")
            )
        }
    }

    @Test func aPipedReplayIsALineForEachEvent() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                process: [
                    "replay", "--from", "2026-02-20T17:30", "--to", "2026-02-20T18:10", "--speed",
                    "max",
                ],
                home: home)
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output.contains("17:30  watching 5 bridges, all lowered"))
            #expect(run.output.contains("18:00  Ballard raised 18:00; Fremont's chance for 18:1"))
            #expect(!run.output.contains("\u{1B}"))
            #expect(run.output.contains("University        unknown, no sensor"))
        }
    }

    @Test func watchStoresStatesForPredict() async throws {
        try await withServer { home, address in
            let metrics = home.appendingPathComponent("metrics").path
            let log = home.appendingPathComponent("log").path
            // By one shell: in a full run minutes could pass between two processes, and states become too old.
            let run = try await CommandRun(
                process: [
                    "-c", "\"$0\" watch \"$@\" && exec \"$0\" predict --only ballard-downtown",
                    CommandRun.binary().path, "--bridges-url", "\(address)/ok/bridges",
                    "--seconds", "6", "--metrics-file", metrics, "--log-file", log,
                ], home: home, executable: "/bin/sh")
            #expect(run.code == 0 && run.output.contains("watching 5 bridges"), "\(run.errors)")
            let text = try String(contentsOfFile: metrics, encoding: .utf8)
            #expect(
                text.contains("bridgecast_feed_requests_total{feed=\"bridges\",outcome=\"ok\"} 1"))
            #expect(text.contains("bridgecast_batches_total"))
            #expect(text.contains("bridgecast_feed_age_seconds{feed=\"bridges\"}"))
            #expect(try String(contentsOfFile: log, encoding: .utf8).contains("event_id="))
            #expect(run.output.contains("the state of 5 of 7 bridges is known"), "\(run.output)")
            let failing = try await CommandRun(
                process: [
                    "watch", "--bridges-url", "\(address)/status-word/bridges", "--seconds", "6",
                    "--no-store",
                ],
                home: home)
            #expect(failing.code == 74 && failing.output.contains("the live feed failed"))
            #expect(!(failing.output + failing.errors).contains("\u{1B}"))
        }
    }

    @Test func namesFromFeedsCannotMoveTheCursor() async throws {
        try await withHome { home in
            let routes = home.appendingPathComponent("r.json")
            try Data(
                #"{"routes":[{"id":"a\u001b[2J","name":"x\u001b]0;owned\u0007y","origin":"o\u001b[31m","destination":"d","steps":[{"minutes":5},{"bridge":"Fremont"}]}]}"#
                    .utf8
            ).write(to: routes)
            let run = try await CommandRun(
                ["predict", "--routes", routes.path, "--at", "2026-02-20T12:00"], home: home)
            #expect(run.code == 0 && !run.output.contains("\u{1B}") && run.output.contains("owned"))
        }
    }

    /// The board on a real pseudo-terminal: drawn, quit by a key, and the terminal given back.
    @Test(arguments: [true, false]) func theBoardDrawsAndGivesTheTerminalBack(
        _ hasColour: Bool
    ) async throws {
        try await withHome { home in
            let script = """
                import os, pty, sys, time, select, struct, fcntl, termios
                pid, fd = pty.fork()
                if pid == 0:
                    os.execv(sys.argv[1], sys.argv[1:])
                fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 110, 0, 0))
                seen, sent, resized, start = b'', False, False, time.time()
                while time.time() - start < 60:
                    if not resized and b'times as fast' in seen and b'Montlake' in seen:
                        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 20, 60, 0, 0)); resized = len(seen)
                    if not sent and resized and b'raised' in seen[resized:]:
                        os.write(fd, b'q'); sent = True
                    if select.select([fd], [], [], 0.1)[0]:
                        try: data = os.read(fd, 65536)
                        except OSError: break
                        if not data: break
                        seen += data
                if not sent: os.kill(pid, 9)
                status = os.waitpid(pid, 0)[1]
                sys.stdout.buffer.write(seen)
                sys.exit(os.waitstatus_to_exitcode(status))
                """
            let file = home.appendingPathComponent("board.py")
            try Data(script.utf8).write(to: file)
            let run = try await CommandRun(
                process: [
                    "python3", file.path, try CommandRun.binary().path, "replay", "--from",
                    "2026-02-20T17:59", "--speed", "60",
                ] + (hasColour ? [] : ["--no-color"]), home: home, executable: "/usr/bin/env")
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("\u{1B}[?1049h") && run.output.contains("\u{1B}[?1049l"))
            #expect(
                run.output.contains("Montlake") && run.output.contains("replay, 60 times as fast"))
            #expect(run.output.contains("\u{1B}[1;31m") == hasColour, "Ballard goes up at 18:00")
            // Cleared at the beginning and when resized, otherwise only lines are written.
            #expect(run.output.components(separatedBy: "\u{1B}[2J").count - 1 <= 4)
        }
    }
}

@Suite struct LiveDocumentTests {
    @Test func aReplayAsJSONHasEverythingWithItsTime() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                process: [
                    "replay", "--from", "2026-02-20T17:58", "--to", "2026-02-20T18:05", "--speed",
                    "max", "--format", "ndjson",
                ], home: home)
            let boards = try run.output.split(separator: "\n").map {
                try #require(
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(boards.count >= 6)
            let last = try #require(boards.last)
            #expect(last["phase"] as? String == "ready")
            let bridges = try #require(last["bridges"] as? [[String: Any]])
            #expect(bridges.count == 7)
            #expect(
                bridges.first { $0["bridge"] as? String == "University" }?["state"] as? String
                    == "unknown")
            let outlook = try #require(bridges[0]["outlook"] as? [[String: Any]])
            #expect(
                outlook.count == 25
                    && outlook.allSatisfy {
                        (0...1).contains($0["probability_stopped"] as? Double ?? -1)
                    })
            #expect((last["sources"] as? [[String: Any]])?.first?["fetched_at"] is String)
            let events = boards.flatMap { $0["events"] as? [[String: Any]] ?? [] }
            #expect(
                events.contains { ($0["text"] as? String)?.hasPrefix("Ballard raised") == true })
            let ids = events.compactMap { $0["id"] as? Int }
            #expect(ids == Array(Set(ids)).sorted(), "each is reported once")
        }
    }
}
