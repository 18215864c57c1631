// `board` as a traveller reads it, and as programs do.
import BridgecastTestSupport
import Foundation
import Testing

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

    @Test("A stop is found by identifier, name and place; a station stands for its platforms")
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

    @Test("A document has what the vehicle says, null where nobody says, and moments twice")
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

    @Test("A bus that has a drawbridge before it is told what the bridge may do")
    func bridges() async throws {
        try await TransitHome.with { transit in
            let board = try await transit.json("board", "N1", "--arrivals")
            // The bus that comes at 17:58 has crossed it.
            #expect((value(board, "data", "departures", 0, "bridges") as? [Any])?.isEmpty == true)
            let bridge = value(board, "data", "departures", 1, "bridges", 0)
            #expect(value(bridge, "bridge") as? String == "Ballard")
            #expect(value(bridge, "waits_now") as? Bool == false)
            #expect(value(bridge, "eta_from") as? String == "timetable")
            let mean = try #require(value(bridge, "delay_s", "mean") as? Double)
            let outlook = value(board, "data", "departures", 1, "bridge_delay")
            // One bridge: what it adds is what all add.
            #expect(abs(try #require(value(outlook, "mean_s") as? Double) - mean) < 5)
            let chance = try #require(value(outlook, "probability_over_3min") as? Double)
            #expect(chance > 0 && chance < 1)
            #expect(board["model"] is String)
            let table = try await transit.run("board", "N1", "--arrivals")
            #expect(table.output.contains("\n       Ballard Bridge at 18:0"))
            // Behind the bridge it is of no matter.
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

    @Test("A timetable that is over says so")
    func noService() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "board", "Interbay", "--no-bridges", at: "2027-03-01T12:00")
            #expect(run.code == 0 && run.output.contains("2026-12-31"), "\(run.output)")
        }
    }

    @Test("Many questions are answered from one reading, a document a line")
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

    @Test("A watched board is printed again, and ends when it is to")
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
