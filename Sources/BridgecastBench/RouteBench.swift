// Times the ranking of many candidate routes, as a route service would have them ranked.
import BridgecastCore
import BridgecastEngine
private import BridgecastTraining

/// Ranks random candidates with up to four crossings each.
struct RouteBench {
    private let model: LoadedModel
    private let situations: [Situation]

    init(_ model: LoadedModel, situations: [Situation]) {
        (self.model, self.situations) = (model, situations)
    }

    /// Candidates whose stretches and crossings are drawn at random, the same ones every time.
    static func candidates(_ count: Int) -> [Route] {
        var random = SeededRandom(seed: 7)
        return (0..<count).map { number in
            let crossings = Int(random.next() % 5)
            var steps: [Route.Step] = []
            for place in 0...crossings {
                let minutes = 3 + Double(random.next() % 1_000) / 100
                steps.append(.travel(Route.Travel(minutes: minutes)))
                if place < crossings {
                    let bridge = Int(random.next() % UInt64(BridgeCatalogue.count))
                    steps.append(.crossing(BridgeIndex.all[bridge]))
                }
            }
            return Route(
                id: "\(number)", name: "", origin: "a", destination: "b", mode: .car, steps: steps)
        }
    }

    /// A new state each time, its inference, and the ranking; then the ranking and the packing alone.
    func run() async throws -> [PartResult] {
        let inference = TrafficInference(model)
        var results: [PartResult] = []
        for (count, calls) in [(1_000, 300), (10_000, 40), (100_000, 8)] {
            let routes = Self.candidates(count)
            var packing: [UInt64] = []
            var start = Stopwatch.now()
            var set = try RouteSet(routes)
            for _ in 0..<min(calls, 50) {
                start = Stopwatch.now()
                set = try RouteSet(routes)
                packing.append(Stopwatch.now() - start)
            }
            results += try await ranking(set, calls: calls, threads: 1, inference)
            if count >= 10_000 {
                results += try await ranking(set, calls: calls, threads: 2, inference)
            }
            results.append(PartResult("packing candidates, once", count: count, packing))
        }
        return results
    }

    private func ranking(
        _ set: RouteSet, calls: Int, threads: Int, _ inference: TrafficInference
    ) async throws -> [PartResult] {
        var scorer = RouteScorer(threads: threads)
        var (fresh, ranking): ([UInt64], [UInt64]) = ([], [])
        for call in 0..<calls {
            let situation = situations[call % situations.count]
            let start = Stopwatch.now()
            let table = try await inference.table(
                in: situation, reaching: set.reachMinutes, modes: set.modes)
            let told = Stopwatch.now()
            try scorer.rank(set, with: table, leaving: situation.issueTime)
            let end = Stopwatch.now()
            fresh.append(end - start)
            ranking.append(end - told)
        }
        let by = threads == 1 ? "" : ", \(threads) threads"
        return [
            PartResult("fresh state to ranked candidates\(by)", count: set.count, fresh),
            PartResult("of that, ranking\(by)", count: set.count, ranking),
        ]
    }
}
