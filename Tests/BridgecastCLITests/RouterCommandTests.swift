// `--router` as a user gives it, against the stand-in.
import BridgecastCLI
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouterCommandTests: RunsCommands {
    private static let trip = ["--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02"]

    private func router(_ kind: String, _ scenario: String) throws -> [String] {
        ["--router", "\(kind)=\(try StandIn.shared.get().address)/\(scenario)"]
    }

    @Test(arguments: [("osrm", "OSRM"), ("valhalla", "Valhalla")])
    func aServersRoutesAreRankedAndItsNameIsTold(_ example: (String, String)) async throws {
        let words = ["predict"] + Self.trip + (try router(example.0, "ok/cli"))
        let table = try await run(words)
        #expect(table.code == 0 && table.errors.isEmpty, "\(table.errors)")
        #expect(table.output.contains("Routes of \(example.1) at http://127.0.0.1:"))
        #expect(table.output.contains("Ballard -> Downtown\n"))
        let document = try document(try await run(words + ["--format", "json"]))
        let source = try #require(document["route_source"] as? [String: Any])
        #expect(source["kind"] as? String == example.0 && source["requests"] as? Int == 6)
        #expect((source["url"] as? String)?.hasSuffix("/ok/cli") == true)
        let groups = try #require(document["groups"] as? [[String: Any]])
        let routes = try #require(groups.first?["routes"] as? [[String: Any]])
        #expect(routes.contains { ($0["name"] as? String)?.contains("Ballard Bridge") == true })
    }

    @Test func departTakesThemToo() async throws {
        let run = try await run(["depart"] + Self.trip + (try router("osrm", "ok/depart")))
        #expect(run.code == 0 && run.output.contains("Routes of OSRM at"), "\(run.errors)")
        #expect(run.output.contains("Aurora Ave N, Aurora Bridge"))
    }

    @Test func ourOwnRoadsAreTakenOnlyIfThatIsAskedFor() async throws {
        let words = ["predict"] + Self.trip + (try router("osrm", "noroute/cli"))
        let refused = try await run(words)
        #expect(refused.code == 65 && refused.output.isEmpty)
        #expect(refused.errors.contains("NoRoute: Impossible route between points (HTTP 400)"))
        let nobody = try await run(
            ["predict"] + Self.trip + ["--router", "osrm=http://127.0.0.1:1"])
        #expect(nobody.code == 74 && nobody.errors.contains("cannot be reached"))
        let own = try await run(words + ["--router-fallback", "--format", "json"])
        #expect(own.code == 0 && own.errors.contains("these are our own roads instead"))
        let source = try #require(try document(own)["route_source"] as? [String: Any])
        #expect(source["kind"] as? String == "roads")
        #expect((source["notes"] as? [String])?.first?.contains("NoRoute") == true)
        let table = try await run(words + ["--router-fallback"])
        #expect(table.output == (try await run(["predict"] + Self.trip)).output)
    }

    @Test(arguments: [["predict"], ["depart"], []])
    func theProgramWithoutANetworkStartsTheOther(_ command: [String]) async throws {
        let words = command + Self.trip + ["--router=osrm=http://host"]
        try await withHome { home in
            let run = try await CommandRun(words, of: BridgecastCommand.self, home: home)
            #expect(run.wordsOfServer == ["bridgecast-server"] + words && run.output.isEmpty)
        }
    }

    @Test func whatCannotBeMeantIsTold() async throws {
        for (words, said) in [
            (["--router", "http://host"], "write osrm=URL or valhalla=URL"),
            (["--router", "osrm=ftp://host"], "is no address of a route server"),
            (["--router-fallback"], "--router-fallback needs --router"),
        ] {
            let run = try await run(["predict"] + Self.trip + words)
            #expect(run.code == 64 && run.errors.contains(said), "\(run.errors)")
        }
        let alone = try await run(["predict", "--router", "osrm=http://host"])
        #expect(alone.code == 64 && alone.errors.contains("--router needs --from and --to"))
    }
}
