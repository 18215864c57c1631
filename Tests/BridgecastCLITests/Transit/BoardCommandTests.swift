// `board` as text and JSON, with incomplete feeds, and `--watch` on a pseudo-terminal.
import BridgecastCLI
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastServerCLI

@Suite struct BoardCommandTests {
    @Test("A board has the timetable's time, the predicted one, and how late it is")
    func table() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "board", "Interbay", "--updates", try transit.updates(late: 240), "--no-bridges")
            #expect(run.code == 0, "\(run.errors)")
            let lines = run.output.split(separator: "\n")
            #expect(lines.first?.hasPrefix("Interbay   Fri 2026-02-20 17:55") == true)
            let late = try #require(lines.first { $0.hasPrefix("18:00") })
            #expect(late.contains("18:04") && late.contains("9:00"))
            #expect(late.contains("Ballard") && late.contains("4 min late"))
            // Nothing is known of the next bus, and nothing is passed off as predicted.
            let next = try #require(lines.first { $0.hasPrefix("18:10") })
            #expect(next.contains("scheduled") && next.contains("15:00"))
        }
    }

    @Test("A stop is found by identifier, name and location; a station has its platforms")
    func places() async throws {
        try await TransitHome.with { transit in
            for words in [["board", SmallTransit.station], ["board", "ballard"]] {
                let board = try await transit.json(words[0], words[1], "--no-bridges")
                #expect(value(board, "data", "stop", "id") as? String == SmallTransit.station)
                #expect(value(board, "data", "departures", 0, "platform") as? String == "2")
            }
            let near = try await transit.json(
                "board", "--near", "47.6681,-122.3700", "--no-bridges")
            #expect(value(near, "data", "stop", "id") as? String == SmallTransit.station)
            let metres = try #require(value(near, "data", "stop", "distance_m") as? Double)
            #expect(abs(metres - 464) < 3)
            let south = try await transit.json("board", SmallTransit.south, "--no-bridges")
            #expect(value(south, "data", "stop", "id") as? String == SmallTransit.south)
        }
    }

    @Test("A document has the vehicle's reports, null for unknown, and times twice")
    func document() async throws {
        try await TransitHome.with { transit in
            let board = try await transit.json(
                "board", SmallTransit.south, "--updates", try transit.updates(late: 240),
                "--vehicles", try transit.vehicles(), "--no-bridges")
            let first = value(board, "data", "departures", 0)
            #expect(value(first, "trip_id") as? String == "n-18:00")
            #expect(value(first, "occupancy_status") as? Int == 2)
            #expect(value(first, "occupancy") as? String == "Moderate")
            #expect(value(first, "occupancy_percentage") is NSNull)
            #expect(value(first, "scheduled_departure") as? String == "2026-02-20T18:00:00-08:00")
            #expect(value(first, "predicted_departure") as? String == "2026-02-20T18:04:00-08:00")
            #expect(value(first, "predicted_departure_epoch_s") as? Int == 1_771_639_440)
            #expect(value(first, "delay_s") as? Int == 240)
            #expect(value(first, "status") as? String == "late")
            #expect(value(first, "confidence") as? String == "HIGH")
            #expect(value(first, "confidence_color") as? String == "green")
            #expect(value(first, "countdown") as? String == "9:00")
            #expect(value(first, "vehicle_id") as? String == "v1")
            let second = value(board, "data", "departures", 1)
            #expect(value(second, "occupancy_status") is NSNull)
            #expect(value(second, "predicted_departure") is NSNull)
            #expect(value(second, "confidence") as? String == "NONE")
            let sources = try #require(board["sources"] as? [[String: Any]])
            #expect(sources.map { $0["id"] as? String } == ["trip_updates", "vehicle_positions"])
            #expect(
                sources.allSatisfy { $0["age_s"] as? Int == 0 && $0["stale"] as? Bool == false })
        }
    }

    @Test("A bus with a drawbridge on its way has the delay that the bridge may cause")
    func bridges() async throws {
        try await TransitHome.with { transit in
            let board = try await transit.json("board", "N1", "--arrivals")
            // The bus that comes at 17:58 has crossed it.
            #expect((value(board, "data", "departures", 0, "bridges") as? [Any])?.isEmpty == true)
            let bridge = value(board, "data", "departures", 1, "bridges", 0)
            #expect(value(bridge, "bridge") as? String == "Ballard")
            #expect(value(bridge, "is_waiting") as? Bool == false)
            #expect(value(bridge, "eta_basis") as? String == "timetable")
            let mean = try #require(value(bridge, "delay_s", "mean") as? Double)
            let outlook = value(board, "data", "departures", 1, "bridge_delay")
            // One bridge: what it adds is what all add.
            #expect(abs(try #require(value(outlook, "mean_s") as? Double) - mean) < 5)
            let chance = try #require(value(outlook, "probability_over_3min") as? Double)
            #expect(chance > 0 && chance < 1)
            #expect(board["model"] is String)
            let table = try await transit.run("board", "N1", "--arrivals")
            #expect(table.output.contains("\n       Ballard Bridge at 18:0"))
            // After the bridge it has no effect.
            let south = try await transit.json("board", SmallTransit.south)
            #expect((value(south, "data", "departures", 0, "bridges") as? [Any])?.isEmpty == true)
        }
    }

    @Test("Each direction has a board of its own, named and side by side")
    func perDirection() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "board", SmallTransit.station, "--per-direction", "3", "--arrivals", "--no-bridges")
            let lines = run.output.split(separator: "\n")
            #expect(lines.contains { $0.contains("Interbay") && !$0.contains(":") })
            let board = try await transit.json(
                "board", SmallTransit.station, "--per-direction", "3", "--no-bridges")
            #expect((value(board, "data", "departures") as? [Any])?.count == 3)
            #expect(value(board, "data", "directions", 0, "name") as? String == "Interbay")
        }
    }

    @Test("An expired timetable is reported")
    func noService() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "board", "Interbay", "--no-bridges", at: "2027-03-01T12:00")
            #expect(run.code == 0 && run.output.contains("2026-12-31"), "\(run.output)")
        }
    }

    @Test("Where lines end, a board says how to see what arrives")
    func onlyArrivals() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run("board", "N1", "--no-bridges")
            #expect(run.code == 0 && run.output.contains("No departures from here: lines end here"))
            #expect(run.output.contains("--arrivals"))
            let board = try await transit.json("board", "N1", "--no-bridges")
            #expect(value(board, "data", "arrivals_only") as? Bool == true)
            let arrivals = try await transit.run("board", "N1", "--no-bridges", "--arrivals")
            #expect(!arrivals.output.contains("lines end here"))
        }
    }

    @Test("Many queries are answered from one reading, a document per line")
    func queries() async throws {
        try await TransitHome.with { transit in
            let file = try transit.file(
                Array("\(SmallTransit.south),1771638900\nN2,1771640100\n".utf8), "questions")
            let run = try await transit.run("board", "--queries", file, at: nil)
            #expect(run.code == 0, "\(run.errors)")
            let boards = try run.output.split(separator: "\n").map {
                try JSONSerialization.jsonObject(with: Data($0.utf8))
            }
            #expect(boards.count == 2)
            #expect(value(boards[0], "data", "departures", 0, "trip_id") as? String == "n-18:00")
            #expect(value(boards[1], "data", "departures", 0, "trip_id") as? String == "s-18:20")
            #expect(value(boards[1], "valid_at") as? String == "2026-02-20T18:15:00-08:00")
            let bad = try transit.file(Array("N1,1771638900\nN1;5\n".utf8), "bad")
            let refused = try await transit.run("board", "--queries", bad, at: nil)
            #expect(refused.code == 65 && refused.errors.contains("line 2"))
            #expect(refused.output.isEmpty)
            let far = try transit.file(
                Array("N1,\(Int64.max)\r\n\nN1,\(Int64.min)\nnone,0\n".utf8), "far")
            let ends = try await transit.run("board", "--queries", far, at: nil)
            #expect(ends.code == 65 && ends.errors.contains("line 4"), "\(ends.errors)")
            #expect(ends.output.split(separator: "\n").count == 2)
        }
    }

    @Test(
        "Notes are printed with watched vehicles as with others",
        arguments: [[], ["--watch", "--seconds", "1"]])
    func watchedNotes(_ watching: [String]) async throws {
        try await TransitHome.with { transit in
            let run = try await CommandRun(
                ["vehicles", "--no-bridges", "--vehicles", try transit.vehicles()] + watching + [
                    "--feed", transit.feed.path, "--at", "2026-02-20T20:55",
                ], home: transit.home)
            #expect(run.code == 0)
            let notes = run.errors.components(separatedBy: "not of the time shown").count - 1
            #expect(notes == 1, "\(run.errors)")
        }
    }

    @Test("A watched board is printed again, and ends in time")
    func watch() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "board", "Interbay", "--watch", "--seconds", "1", "--format", "ndjson",
                "--no-bridges", "--updates", try transit.updates(late: 240))
            #expect(run.code == 0, "\(run.errors)")
            let first = try #require(run.output.split(separator: "\n").first)
            let board = try JSONSerialization.jsonObject(with: Data(first.utf8))
            #expect(value(board, "data", "departures", 0, "delay_s") as? Int == 240)
        }
    }
}

@Suite struct TroubledBoardTests {
    @Test(
        "Without the shipped model a board has a warning; a named model must exist"
    )
    func noModel() async throws {
        try await TransitHome.with { transit in
            let words = [
                "board", "N1", "--arrivals", "--feed", transit.feed.path, "--at",
                TransitHome.now,
            ]
            let bare = ["HOME": transit.home.path, "BRIDGECAST_HOME": transit.home.path]
            let table = try await CommandRun(words, home: transit.home, environment: bare)
            #expect(table.code == 0 && table.output.contains("18:08"), "\(table.errors)")
            #expect(table.errors.contains("no drawbridge forecasts"))
            let json = try await CommandRun(
                words + ["--format", "json"], home: transit.home, environment: bare)
            let board = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            let warnings = try #require(value(board, "warnings") as? [String])
            #expect(warnings.contains { $0.contains("bridgecast.int8.bcm") }, "\(warnings)")
            #expect((value(board, "data", "departures", 1, "bridges") as? [Any])?.isEmpty == true)
            let named = try await CommandRun(
                words + ["--model", "/nowhere.bcm"], home: transit.home)
            #expect(named.code == 66 && named.errors.contains("/nowhere.bcm"))
        }
    }

    @Test("Feeds of another agency are recognised")
    func otherAgency() async throws {
        try await TransitHome.with { transit in
            let updates = try transit.file(
                SmallTransit.tripUpdates(of: "elsewhere", delaySeconds: 60, at: TransitHome.epoch),
                "updates.json")
            let vehicles = try transit.file(
                SmallTransit.vehicles(of: "elsewhere", latitude: 47.65, at: TransitHome.epoch),
                "vehicles.json")
            let board = try await transit.json(
                "board", "Interbay", "--updates", updates, "--vehicles", vehicles, "--no-bridges")
            let warnings = try #require(board["warnings"] as? [String])
            #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("another agency") })
            let own = try await transit.json(
                "board", "Interbay", "--updates", try transit.updates(late: 60), "--no-bridges")
            #expect((own["warnings"] as? [String])?.isEmpty == true)
        }
    }

    @Test("A vehicle with impossible coordinates is listed without a location")
    func placelessVehicle() async throws {
        try await TransitHome.with { transit in
            for latitude in [3e38, 91] {
                let vehicles = try transit.vehicles(latitude: latitude)
                let run = try await transit.run(
                    "vehicles", "15", "--vehicles", vehicles, "--no-bridges")
                #expect(run.code == 0 && run.output.contains("v1"), "\(run.errors)")
                #expect(!run.output.contains("-122.37"))
            }
            let sound = try transit.vehicles()
            let run = try await transit.run("vehicles", "15", "--vehicles", sound, "--no-bridges")
            #expect(run.output.contains("-122.37"))
        }
    }

    @Test(
        "A cancelled trip stays on the board without a countdown; its alert is shown")
    func cancelled() async throws {
        try await TransitHome.with { transit in
            let seconds = TransitHome.epoch.secondsSinceEpoch
            let updates = try transit.file(
                Array(
                    """
                    {"header": {"gtfs_realtime_version": "2.0", "timestamp": \(seconds)}, "entity": [
                     {"id": "1", "trip_update": {"trip": {"trip_id": "n-18:00",
                      "start_date": "20260220", "schedule_relationship": "CANCELED"}}},
                     {"id": "2", "alert": {"informed_entity": [{"trip": {"trip_id": "n-18:00"}}],
                      "header_text": {"translation": [{"text": "No bus at six"}]}}},
                     {"id": "3", "alert": {"informed_entity": [{"trip": {"trip_id": "n-25:10"}}],
                      "header_text": {"translation": [{"text": "No bus at night"}]}}}]}
                    """.utf8), "updates.json")
            let board = try await transit.json(
                "board", SmallTransit.south, "--updates", updates, "--no-bridges")
            let first = value(board, "data", "departures", 0)
            #expect(value(first, "status") as? String == "cancelled")
            #expect(value(first, "scheduled_departure") as? String == "2026-02-20T18:00:00-08:00")
            #expect(value(first, "countdown_s") is NSNull && value(first, "countdown") is NSNull)
            let alerts = try #require(value(board, "data", "alerts") as? [Any])
            #expect(alerts.map { value($0, "header") as? String } == ["No bus at six"])
        }
    }

    @Test(
        "A document is about the requested time, and feeds have their ages then")
    func requestedTime() async throws {
        try await TransitHome.with { transit in
            let board = try await transit.json(
                "board", "Interbay", "--updates", try transit.updates(late: 60), "--no-bridges",
                at: "2026-02-20T17:57:30")
            #expect(board["valid_at"] as? String == "2026-02-20T17:57:30-08:00")
            #expect((board["generated_at"] as? String)?.hasPrefix("2026-02-20") == false)
            #expect(value(board, "sources", 0, "age_s") as? Int == 150)
        }
    }

    @Test("Columns stay aligned below names of wide letters")
    func wideNames() {
        var table = StyledTable([.init(title: "to"), .init(title: "in", isRight: true)])
        for (name, left) in [("东京駅", "4:00"), ("Ballard", "12:00"), ("🚌", "now")] {
            table.add([.init(name), .init(left)])
        }
        let lines = table.lines()
        #expect(lines.map(\.width) == [14, 14, 14, 14])
        #expect(lines[1].text(width: 80, hasColour: false) == "东京駅    4:00")
        // A letter that does not fit is not halved.
        #expect(lines[1].text(width: 5, hasColour: false) == "东京")
    }
}

@Suite struct WatchedBoardTests {
    @Test(
        "A watched board counts down on the terminal until q or Ctrl-C", arguments: ["q", "\\x03"])
    func onATerminal(_ key: String) async throws {
        try await TransitHome.with { transit in
            let script = """
                import os, pty, sys, time, select, struct, fcntl, termios
                pid, fd = pty.fork()
                if pid == 0:
                    os.execv(sys.argv[1], sys.argv[1:])
                fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 110, 0, 0))
                seen, sent, start = b'', False, time.time()
                # What does not end by its key is killed.
                while time.time() - start < 60:
                    if not sent and b'4:5' in seen:
                        os.write(fd, b'\(key)'); sent = True
                    if select.select([fd], [], [], 0.1)[0]:
                        try: data = os.read(fd, 65536)
                        except OSError: break
                        if not data: break
                        seen += data
                if time.time() - start >= 60: os.kill(pid, 9)
                status = os.waitpid(pid, 0)[1]
                sys.stdout.buffer.write(seen)
                sys.exit(os.waitstatus_to_exitcode(status))
                """
            let file = transit.home.appendingPathComponent("watch.py")
            try Data(script.utf8).write(to: file)
            let run = try await CommandRun(
                process: [
                    "python3", file.path, try CommandRun.binary("bridgecast-server").path, "board",
                    "Interbay", "--watch", "--feed", transit.feed.path, "--at", TransitHome.now,
                ], home: transit.home, executable: "/usr/bin/env")
            #expect(run.code == 0, "\(run.output) \(run.errors)")
            #expect(run.output.contains("\u{1B}[?1049h") && run.output.contains("\u{1B}[?1049l"))
            #expect(run.output.contains("Interbay") && run.output.contains("Ballard"))
        }
    }
}
