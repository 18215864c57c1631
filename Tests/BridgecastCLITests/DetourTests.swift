// Routes over more water than a route before them crosses are not shown.
import Foundation
import Testing

@Suite struct DetourTests: RunsCommands {
    @Test(arguments: [
        ("Lake City", "Fauntleroy"), ("Ballard", "Downtown"), ("Ballard", "Magnolia"),
    ])
    func nobodyIsSentOverTheCanalAndBack(_ from: String, _ to: String) async throws {
        let answer = try await run([
            "predict", "--from", from, "--to", to, "--at", "2026-02-20T17:50", "--format",
            "geojson",
        ])
        #expect(answer.code == 0, "\(answer.errors)")
        let features = try #require(try document(answer)["features"] as? [[String: Any]])
        let crossings = features.map { feature in
            let properties = feature["properties"] as? [String: Any]
            return Set(properties?["crossings"] as? [String] ?? [])
        }
        #expect(!crossings.isEmpty)
        for (place, later) in crossings.enumerated() {
            #expect(!crossings[..<place].contains { $0.isStrictSubset(of: later) }, "\(later)")
        }
    }
}
