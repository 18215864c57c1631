// What the `roads` part of `bridgecast bench` says of Seattle's roads, measured for an instant.
import BridgecastBench
@testable import BridgecastCLI
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Testing

@Suite struct RoadBenchTests {
    /// The benchmark refuses to time a search that finds other ways than Dijkstra's algorithm does.
    @Test func everyPartOfTheRoadsIsTimedBesideAPlainSearch() async throws {
        let reader = SituationReader(Fixtures.shippedHistory)
        let bench = RoadBench(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")),
            situation: reader.situation(at: Fixtures.moment("2026-02-20T07:00")),
            file: Fixtures.model("roads/seattle.roads"), milliseconds: 1)
        let result = try await bench.run()
        #expect(
            result.ratios.map(\.trip).prefix(2) == [
                "Ballard to Downtown", "Lake City to Fauntleroy",
            ])
        #expect(result.ratios.count == 4)
        #expect(result.ratios.allSatisfy { $0.median > 0 && $0.median.isFinite })
        #expect(result.parts.count == 17)
        // All ways are several, and rankings show some of them.
        let ways = result.parts.filter { $0.part.hasSuffix("all ways") }
        #expect(ways.count == 4 && ways.contains { $0.count > 2 })
        #expect(result.fileBytes > 10_000_000 && result.peakKB > 20_000)
        let text = BenchText.text(result)
        #expect(text.contains("plain Dijkstra, Ballard to Downtown, bike: the quickest way"))
        #expect(text.contains("Lake City to Fauntleroy"))
    }
}
