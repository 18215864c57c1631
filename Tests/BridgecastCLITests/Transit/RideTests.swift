// Rides that are entered in the journal: by the command, and view by view over Montlake Bridge on a recorded afternoon.
import ArgumentParser
import BridgecastCore
import BridgecastJourneys
import BridgecastSupport
import BridgecastTestSupport
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation
import Testing

@testable import BridgecastServerCLI

@Suite struct RideTests {
    /// The ride of the bus of 18:00, which is four minutes late, at a time.
    private func keep(_ transit: TransitHome, at time: String) async throws -> CommandRun {
        try await transit.run(
            "trip", "n-18:00", "--updates", try transit.updates(late: 240), "--no-bridges",
            "--keep", "--from", "Interbay", "--to", SmallTransit.north, at: time)
    }

    @Test func aRideThatHasEndedIsEnteredAsPlannedAndAsItWas() async throws {
        try await TransitHome.with { transit in
            let kept = try await keep(transit, at: "2026-02-20T18:30")
            #expect(kept.code == 0, "\(kept.errors)")
            #expect(kept.output.contains("Kept in your journal"))
            let list = try await CommandRun(
                ["journey", "list", "--format", "json"], home: transit.home)
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any])
            let journey = value(document, "journeys", 0)
            func text(_ field: String) -> String? { value(journey, field) as? String }
            #expect(text("mode") == "transit")
            #expect(text("name")?.hasPrefix("Interbay -> ") == true)
            #expect(text("name")?.contains(", line ") == true)
            #expect(text("planned_departure") == "2026-02-20T18:00:00-08:00")
            #expect(text("actual_departure") == "2026-02-20T18:04:00-08:00")
            #expect(text("planned_arrival") == "2026-02-20T18:08:00-08:00")
            #expect(text("actual_arrival") == "2026-02-20T18:12:00-08:00")
            // It was not followed when it left.
            #expect(value(journey, "way") is NSNull)
        }
    }

    @Test func nothingIsEnteredBeforeTheEndNorWithoutTheFlag() async throws {
        try await TransitHome.with { transit in
            let early = try await keep(transit, at: TransitHome.now)
            #expect(early.code == 64 && early.errors.contains("is not at "), "\(early.errors)")
            let unknown = try await transit.run(
                "trip", "n-18:00", "--no-bridges", "--keep", "--from", "Interbay", "--to",
                SmallTransit.north, at: "2026-02-20T18:30")
            #expect(unknown.code == 65 && unknown.errors.contains("is not known"))
            let without = try await transit.run("trip", "n-18:00", at: "2026-02-20T18:30")
            #expect(without.code == 0)
            let list = try await CommandRun(["journey", "list"], home: transit.home)
            #expect(list.code == 66)
        }
    }

    /// A ride would be followed in vain: what is wrong with the journal ends the command first.
    @Test func theJournalIsCheckedBeforeTheRide() async throws {
        try await TransitHome.with { transit in
            let off = try await CommandRun(
                ["settings", "set", "--no-track-journeys"], home: transit.home)
            #expect(off.code == 0)
            for (options, code, text) in [
                (["--journal", "/bin/ls"], Int32(65), "not a journal"),
                (["--key", "/nowhere/key"], 66, "there is no such key"),
                ([], 64, "settings set --track-journeys"),
            ] {
                let run = try await CommandRun(
                    ["trip", "n-18:00", "--keep", "--from", "a", "--to", "b", "--feed", "/nowhere"]
                        + options, home: transit.home)
                #expect(run.code == code && run.errors.contains(text), "\(run.errors)")
            }
        }
    }

    @Test(arguments: [
        (["--keep", "--from", "Interbay"], "--keep needs --from and --to"),
        (["--from", "Interbay", "--to", "Ballard"], "need --keep"),
        (["--keep", "--from", "Mars", "--to", "Ballard"], "--from: 'Mars' names no stop"),
        (["--keep", "--from", "Ballard", "--to", "Interbay"], "--to: 'Interbay' names no stop"),
        (["--keep", "--from", "a", "--to", "b"], "--from: 'a' names several stops"),
    ])
    func ridesThatCannotBeMeantAreRefused(_ options: [String], _ expected: String) async throws {
        try await TransitHome.with { transit in
            let run = try await CommandRun(
                ["trip", "n-18:00", "--feed", transit.feed.path, "--at", TransitHome.now] + options,
                home: transit.home)
            #expect(run.code == 64 && run.errors.contains(expected), "\(run.errors)")
        }
    }

    /// The bus waits at Montlake Bridge, which is raised at 15:05; the feed leaves out the stops that it has passed.
    @Test @MainActor func aFollowedRideKeepsTheForecastOfItsDeparture() async throws {
        let recording = Fixtures.checkout
            .appendingPathComponent("models/transit/sound-transit-montlake-2018-01-04.pb.gz").path
        let timetable = Fixtures.checkout
            .appendingPathComponent("models/transit/sound-transit-montlake.zip").path
        let ride = Ride(from: "15th Ave NE & NE 40th St", to: "Montlake Blvd E & E Lake Wash")
        var views: [[String: Any]] = []
        for time in ["15:05", "15:09", "15:14", "15:17", "15:20"] {
            #expect(!ride.isComplete)
            let options = try TransitOptions.parse([
                "--feed", timetable, "--vehicles", recording, "--updates", recording, "--at",
                "2018-01-04T\(time)",
            ])
            try await TransitSession.with(options) { session in
                let view = try await session.view()
                let trip = try #require(view.snapshot.feed.trip("35024846"))
                let run = try #require(view.snapshot.run(ofTrip: trip, at: view.now))
                var document = TripDocument(
                    run, view.snapshot, at: view.now, envelope: view.envelope,
                    bridges: view.bridges)
                try ride.update(document, at: view.now)
                document.ride = try Self.outlook(document)
                views.append(try Self.answered(document))
            }
        }
        #expect(ride.isComplete)
        let journey = try ride.journey(now: Fixtures.timestamp("2018-01-04T15:20"))
        try journey.validate(now: Fixtures.timestamp("2018-01-04T15:20"))
        #expect(
            journey.name
                == "15th Ave NE & NE 40th St -> Montlake Blvd E & E Lake Washington Blvd, line 542")
        #expect(journey.plannedDeparture == Fixtures.timestamp("2018-01-04T15:09:20"))
        #expect(journey.plannedArrival == Fixtures.timestamp("2018-01-04T15:17"))
        #expect(journey.actualDeparture == Fixtures.timestamp("2018-01-04T15:09:20"))
        #expect((0...240).contains(try #require(journey.delaySeconds)))
        let forecast = try #require(journey.forecast)
        #expect(forecast.way == "542")
        #expect(forecast.bridges == [Fixtures.bridge("Montlake")])
        // As of 15:09, not of 15:05.
        #expect(forecast.probabilityStopped > 0.9)
        #expect((500...700).contains(forecast.expectedSeconds))
        #expect(forecast.p90Seconds > forecast.expectedSeconds)
        try checkWhatThePageSends(views, journey)
    }

    /// The ride as the service answers it.
    private static func outlook(_ document: TripDocument) throws -> RideOutlook {
        func stop(_ name: String) throws -> DepartureEntry {
            try #require(document.stops.first { $0.stop.name.hasPrefix(name) })
        }
        return RideOutlook(
            document, from: try stop("15th Ave NE & NE 40th St"),
            to: try stop("Montlake Blvd E & E Lake Wash"))
    }

    /// The part of an answer that the page reads.
    private static func answered(_ document: TripDocument) throws -> [String: Any] {
        let whole = try #require(
            JSONSerialization.jsonObject(with: Data(document.jsonBytes())) as? [String: Any])
        let data = try #require(whole["data"] as? [String: Any])
        return [
            "valid_at": try #require(whole["valid_at"]),
            "data": ["ride": try #require(data["ride"])],
        ]
    }

    /// The file of views from which a test of the page makes a form, and one of the service a journey.
    private func checkWhatThePageSends(_ views: [[String: Any]], _ journey: Journey) throws {
        let file = Fixtures.checkout.appendingPathComponent(
            "Tests/PageTests/support/ride-montlake.json")
        let recorded = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        #expect(views as NSArray == value(recorded, "views") as? NSArray, "\(views)")
        let form = try #require(value(recorded, "form") as? [String: String])
        func time(_ name: String) throws -> Timestamp { try TimeText.parse(form[name] ?? "") }
        func number(_ name: String) -> Double { Double(form[name] ?? "") ?? .nan }
        #expect(journey.name == "\(form["from"] ?? "") -> \(form["to"] ?? ""), line 542")
        #expect(form["mode"] == "transit" && form["way"] == "542")
        #expect(try journey.plannedDeparture == time("planned_departure"))
        #expect(
            try journey.plannedArrival
                == time("planned_departure").adding(minutes: number("minutes")))
        #expect(try journey.actualDeparture == time("departed"))
        #expect(try journey.actualArrival == time("arrived"))
        // Answers have a tenth of a second.
        let forecast = try #require(journey.forecast)
        #expect(abs(forecast.expectedSeconds - number("expected_s")) < 0.06)
        #expect(abs(forecast.p90Seconds - number("p90_s")) < 0.06)
        #expect(abs((forecast.expectedDelaySeconds ?? .nan) - number("delay_s")) < 0.06)
        #expect(abs(forecast.probabilityStopped - number("chance")) < 6e-6)
        #expect(form["bridges"] == "\(BridgeCatalogue[Fixtures.bridge("Montlake")].id.rawValue)")
    }
}
