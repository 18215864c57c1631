// What a transit board is spared: a missing model, feeds of other agencies, trips that do not come, names of two columns a letter.
import BridgecastCLI
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastServerCLI

@Suite struct TroubledBoardTests {
    @Test(
        "Without the shipped model a board is shown and says what it lacks; a named model must be there"
    )
    func noModel() async throws {
        try await TransitHome.with { transit in
            let words = [
                "board", "N1", "--arrivals", "--feed", transit.feed.path, "--at",
                TransitHome.moment,
            ]
            let bare = ["HOME": transit.home.path, "BRIDGECAST_HOME": transit.home.path]
            let table = try await CommandRun(words, home: transit.home, environment: bare)
            #expect(table.code == 0 && table.output.contains("18:08"), "\(table.errors)")
            #expect(table.errors.contains("nothing is said of drawbridges"))
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

    @Test("Feeds of another agency are called that")
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

    @Test("A vehicle whose coordinates are no place on earth is listed without one")
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
        "What is cancelled stays on the board without a countdown; an alert for its trip is shown")
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
        "A document is made now and is about the moment asked for, at which feeds have their ages")
    func moments() async throws {
        try await TransitHome.with { transit in
            let board = try await transit.json(
                "board", "Interbay", "--updates", try transit.updates(late: 60), "--no-bridges",
                at: "2026-02-20T17:57:30")
            #expect(board["valid_at"] as? String == "2026-02-20T17:57:30-08:00")
            #expect((board["generated_at"] as? String)?.hasPrefix("2026-02-20") == false)
            #expect(value(board, "sources", 0, "age_s") as? Int == 150)
        }
    }

    @Test("Columns stay in line beneath names of wide letters")
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
