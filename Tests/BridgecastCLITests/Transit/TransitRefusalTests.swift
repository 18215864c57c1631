// What the transit commands refuse, by which exit code, and what they say of it.
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct TransitRefusalTests {
    @Test(
        "Without a timetable a command says how to name one",
        arguments: ["board", "vehicles", "trip"])
    func noFeed(_ command: String) async throws {
        try await withHome { home in
            let words = [command, "1", "--vehicles", "/dev/null"]
            let run = try await CommandRun(words, home: home)
            #expect(run.code == 64 && run.errors.contains("--feed"), "\(run.errors)")
        }
    }

    @Test("The environment names the usual timetable")
    func environment() async throws {
        try await TransitHome.with { transit in
            let run = try await CommandRun(
                ["board", "Interbay", "--at", TransitHome.moment, "--no-bridges"],
                home: transit.home,
                environment: ["HOME": transit.home.path, "BRIDGECAST_FEED": transit.feed.path])
            #expect(run.code == 0 && run.output.contains("18:00"), "\(run.errors)")
        }
    }

    @Test("What is not there, what is no feed and what was typed wrong have codes of their own")
    func codes() async throws {
        try await TransitHome.with { transit in
            let page = try transit.file(Array("<!DOCTYPE html><html></html>".utf8), "page.pb")
            let cases: [([String], Int32, String)] = [
                (["--updates", "/nowhere.pb"], 66, "/nowhere.pb"),
                (["--updates", page], 65, "HTML"),
                (["--updates", "ftp://example.org/x"], 64, "--updates"),
                (["--minutes", "0"], 64, "minutes"),
                (["--route", "999"], 64, "999"),
                (["--feed", "/other.zip"], 64, "twice"),
                (["--near", "47.65,-122.37"], 64, "contradict"),
                (["--at", "0001-01-01T07:50"], 64, "before 1970"),
            ]
            for (words, code, said) in cases {
                let run = try await CommandRun(
                    ["board", "Interbay", "--feed", transit.feed.path, "--at", TransitHome.moment]
                        + words, home: transit.home)
                #expect(run.code == code, "\(words): \(run.code) \(run.errors)")
                #expect(run.errors.contains(said), "\(run.errors)")
            }
            let missing = try await CommandRun(
                ["board", "x", "--feed", "/nowhere.zip"], home: transit.home)
            #expect(missing.code == 66 && missing.errors.contains("/nowhere.zip"))
        }
    }

    @Test("An unknown stop is answered with the nearest names, an ambiguous one with identifiers")
    func names() async throws {
        try await TransitHome.with { transit in
            let unknown = try await transit.run("board", "Balard")
            #expect(
                unknown.code == 64 && unknown.errors.contains("is it Ballard"), "\(unknown.errors)")
            let many = try await transit.run("board", "a")
            #expect(many.code == 64 && many.errors.contains("Interbay"), "\(many.errors)")
            let far = try await transit.run("board", "--near", "10,10")
            #expect(far.code == 64 && far.errors.contains("50 km"))
            let trip = try await transit.run("trip", "n-18:01", at: TransitHome.moment)
            #expect(trip.code == 64 && trip.errors.contains("n-18:0"), "\(trip.errors)")
        }
    }

    @Test("A time that clocks showed twice or never is refused by name")
    func clockChanges() async throws {
        try await TransitHome.with { transit in
            for (moment, word) in [
                ("2026-11-01T01:30", "twice"), ("2026-03-08T02:30", "never"),
                ("yesterday", "RFC 3339"),
            ] {
                let run = try await transit.run("board", "Interbay", at: moment)
                #expect(run.code == 64 && run.errors.contains(word), "\(run.errors)")
            }
        }
    }

    @Test("A recorded feed shown at another moment is remarked on")
    func otherMoment() async throws {
        try await TransitHome.with { transit in
            let run = try await transit.run(
                "board", "Interbay", "--no-bridges", "--updates", try transit.updates(late: 240),
                at: "2026-02-21T17:55")
            #expect(run.errors.contains("--at 2026-02-20T17:55:00-08:00 shows that one"))
        }
    }
}
