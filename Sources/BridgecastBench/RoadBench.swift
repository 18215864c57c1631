// Times what is done with roads: reading them, finding places on them, searching ways and ranking them.
public import BridgecastCore
public import BridgecastEngine
import BridgecastRoads
public import Foundation

/// What roads take, from the file to ranked routes.
public struct RoadBench {
    /// Times, memory and ratios.
    public struct Result: Sendable, Encodable {
        /// What was done and what it took.
        public let parts: [PartResult]
        /// Bytes of the file.
        public let fileBytes: Int
        /// By how much the process grew when it first read the file, and the most it had until all was done, kB.
        public let residentKB: Int, peakKB: Int
        /// Beside a search without preparation.
        public let ratios: [RoadRatio]
    }

    private let model: LoadedModel
    private let situation: Situation
    private let file: URL
    private let milliseconds: UInt64

    /// - Parameters:
    ///   - file: A network of Seattle; it is read when the benchmark runs.
    ///   - milliseconds: How long each part is repeated.
    public init(_ model: LoadedModel, situation: Situation, file: URL, milliseconds: Int = 400) {
        (self.model, self.situation, self.file) = (model, situation, file)
        self.milliseconds = UInt64(max(1, milliseconds))
    }

    /// Times every part; the first time that the file is read counts by itself.
    public func run() async throws -> Result {
        let before = residentKB()
        let start = Stopwatch.now()
        let roads = try RoadNetwork(contentsOf: file)
        let first = Stopwatch.now() - start
        let grown = residentKB() - before
        var parts = [
            PartResult("reading and checking the roads, first time", count: 1, [first]),
            part("reading and checking the roads") { _ = try? RoadNetwork(contentsOf: file) },
        ]
        var ratios: [RoadRatio] = []
        for (mode, from, to) in Self.trips {
            let (searches, ratio) = try search(roads, mode, from, to)
            parts += searches
            ratios.append(ratio)
        }
        parts.append(try await ranking(roads))
        let typed = "15th ave nw & nw mar"
        let prefixes = (1...typed.count).map { String(typed.prefix($0)) }
        parts += [
            part("completions while a street corner is typed", count: prefixes.count) {
                for prefix in prefixes { _ = roads.completions(of: prefix, limit: 8) }
            },
            part("leading coordinates to the nearest road") {
                _ = try? roads.anchor(
                    GeoPoint(latitude: 47.6686, longitude: -122.3762), for: .car)
            },
        ]
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        return Result(
            parts: parts, fileBytes: size, residentKB: grown, peakKB: peakResidentKB(),
            ratios: ratios)
    }

    private static let trips: [(Route.Mode, String, String)] = [
        (.car, "Ballard", "Downtown"), (.car, "Lake City", "Fauntleroy"),
        (.bike, "Ballard", "Downtown"), (.walk, "Ballard", "Downtown"),
    ]

    /// The quickest way and all that compete, and the quickest by plain search, by turns.
    private func search(
        _ roads: RoadNetwork, _ mode: Route.Mode, _ from: String, _ to: String
    ) throws -> ([PartResult], RoadRatio) {
        let trip = "\(from) to \(to)" + (mode == .car ? "" : ", \(mode.rawValue)")
        let origin = try roads.anchor(from, for: mode)
        let destination = try roads.anchor(to, for: mode)
        let departure = situation.issueTime
        let search = RouteSearch(roads, mode: mode)
        var plain = PlainRoadSearch(roads, mode: mode)
        func ours(_ limit: (Path) -> Double?) -> [Path] {
            search.paths(from: origin, to: destination, leaving: departure, limit: limit)
        }
        func patience(_ quickest: Path) -> Double? {
            quickest.minutes * RoutePlanner.patience + RoutePlanner.patienceMinutes
        }
        let expected = ours { _ in nil }.map(\.costMinutes).min() ?? .infinity
        let found = plain.minutes(from: origin, to: destination, leaving: departure) ?? .infinity
        guard abs(found - expected) < 1e-6 else {
            throw BenchError.otherWay(trip: trip, minutes: expected, plain: found)
        }
        var (quickest, all, plainly): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
        var count = 0
        var ratios: [Double] = []
        let start = Stopwatch.now()
        repeat {
            let times = (0..<9).map { _ in
                let began = Stopwatch.now()
                _ = ours { _ in nil }
                return Stopwatch.now() - began
            }
            quickest += times
            var began = Stopwatch.now()
            count = ours(patience).count
            all.append(Stopwatch.now() - began)
            began = Stopwatch.now()
            _ = plain.minutes(from: origin, to: destination, leaving: departure)
            plainly.append(Stopwatch.now() - began)
            ratios.append(Double(plainly.last ?? 0) / median(times.map { Double($0) }))
        } while Stopwatch.now() - start < 2 * milliseconds * 1_000_000
        return (
            [
                PartResult("search, \(trip): the quickest way", count: 1, quickest),
                PartResult("search, \(trip): all ways", count: count, all),
                PartResult("plain Dijkstra, \(trip): the quickest way", count: 1, plainly),
            ],
            RoadRatio(
                trip: trip, median: median(ratios), low: ratios.min() ?? .nan,
                high: ratios.max() ?? .nan, rounds: ratios.count)
        )
    }

    /// From names to ranked routes with forecasts, as `predict --from --to` does when all is read.
    private func ranking(_ roads: RoadNetwork) async throws -> PartResult {
        let inference = TrafficInference(model)
        let planner = RoutePlanner(roads)
        var timings: [UInt64] = []
        var count = 0
        let begin = Stopwatch.now()
        repeat {
            let start = Stopwatch.now()
            let trip = try roads.trip(from: "Ballard", to: "Downtown")
            count = try await inference.rank(
                trip, by: planner, leaving: situation.issueTime, in: situation
            ).ranking.scores.count
            timings.append(Stopwatch.now() - start)
        } while Stopwatch.now() - begin < milliseconds * 1_000_000
        return PartResult("names to ranked routes, Ballard to Downtown", count: count, timings)
    }

    private func part(_ name: String, count: Int = 1, _ call: () -> Void) -> PartResult {
        PartResult(
            name, count: count,
            timedRound(calls: 5_000, nanoseconds: milliseconds * 1_000_000, call).single)
    }
}
