// Times the parts of a forecast apart: features, network, scoring, actor; and loading a model.
public import BridgecastCore
public import BridgecastEngine
private import BridgecastTraining
public import Foundation

/// Times a forecast's parts on real situations.
public struct ForecastBench {
    private let model: LoadedModel
    private let situations: [Situation]
    private let routes: [Route]

    /// - Parameters:
    ///   - situations: At least one.
    ///   - routes: At least one, of one origin and destination.
    public init(_ model: LoadedModel, situations: [Situation], routes: [Route]) {
        precondition(!situations.isEmpty && !routes.isEmpty)
        self.model = model
        self.situations = situations
        self.routes = routes
    }

    /// Rows as `predict` asks for them, enough for a network benchmark.
    public func batch(rows: Int) -> FeatureBatch {
        var batch = FeatureBatch(capacity: rows)
        let builder = FeatureBuilder(climatology: model.climatology)
        var row = 0
        while batch.rowCount < rows {
            let situation = situations[row / (BridgeCatalogue.count * 30) % situations.count]
            builder.append(
                BridgeIndex.all[row % BridgeCatalogue.count],
                leadMinutes: Double(row / BridgeCatalogue.count % 30) * 2, density: 0.3,
                in: situation, to: &batch)
            row += 1
        }
        return batch
    }

    /// Predicts a batch so many times and does nothing else: for
    /// tools/checks/count_allocations, which counts what a call allocates and retains.
    public func predictOnly(rows: Int, calls: Int) {
        let batch = batch(rows: rows)
        var workspace = Workspace()
        var output: [Float] = []
        for _ in 0..<calls { model.predict(batch, into: &output, workspace: &workspace) }
    }

    /// Ranks candidates so many times and does nothing else: for
    /// tools/checks/count_allocations, as above.
    public func rankOnly(routes count: Int, calls: Int) async throws {
        let situation = situations[0]
        let set = try RouteSet(RouteBench.candidates(count))
        let table = try await TrafficInference(model).table(
            in: situation, reaching: set.reachMinutes, modes: set.modes)
        var scorer = RouteScorer()
        for _ in 0..<calls { try scorer.rank(set, with: table, leaving: situation.issueTime) }
    }

    /// What is served when more is asked than can be.
    public func overload() -> OverloadBench { OverloadBench(model, situation: situations[0]) }

    /// Times every part; the actor is called by one task.
    public func run() async throws -> [PartResult] {
        let inference = TrafficInference(model)
        let situation = situations[0]
        let table = try await inference.table(in: situation, reaching: 90)
        let rows = table.leadsMinutes.count * BridgeCatalogue.count * 2
        var results = [
            features(of: table), featuresOfOneRow(), featuresAndNetwork(of: table),
            network(rows: rows), network(rows: 1),
            try await actor(inference), try scoring(table),
        ]
        var timings: [UInt64] = []
        for round in 0..<300 {
            let start = Stopwatch.now()
            let situation = situations[round % situations.count]
            let ranked = try await inference.rank(
                routes, leaving: situation.issueTime, in: situation)
            timings.append(Stopwatch.now() - start)
            precondition(ranked.count == routes.count)
        }
        results.append(
            PartResult("end to end: state to ranked routes", count: routes.count, timings))
        return results + (try await RouteBench(model, situations: situations).run())
    }

    /// The rows that a forecast table is made of: every lead, with queueing and without, for every bridge.
    private func appendRows(
        of table: ForecastTable, _ builder: FeatureBuilder, to batch: inout FeatureBatch
    ) {
        let situation = situations[0]
        for lead in table.leadsMinutes {
            for density: Float in [0, 0.3] {
                for bridge in BridgeIndex.all {
                    builder.append(
                        bridge, leadMinutes: lead, density: density, in: situation, to: &batch)
                }
            }
        }
    }

    private func features(of table: ForecastTable) -> PartResult {
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        let timings = timedRound(calls: 2_000, nanoseconds: 300_000_000) {
            batch.removeAll()
            appendRows(of: table, builder, to: &batch)
        }
        return PartResult("features", count: batch.rowCount, timings.single)
    }

    /// A row that has nothing in common with another.
    private func featuresOfOneRow() -> PartResult {
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        let timings = timedRound(calls: 20_000, nanoseconds: 300_000_000) {
            batch.removeAll()
            builder.append(
                BridgeIndex.all[1], leadMinutes: 15, density: 0.3, in: situations[0], to: &batch)
        }
        return PartResult("features", count: 1, timings.single)
    }

    private func featuresAndNetwork(of table: ForecastTable) -> PartResult {
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        var workspace = Workspace()
        var output: [Float] = []
        let timings = timedRound(calls: 2_000, nanoseconds: 300_000_000) {
            batch.removeAll()
            appendRows(of: table, builder, to: &batch)
            model.predict(batch, into: &output, workspace: &workspace)
        }
        return PartResult("features and network", count: batch.rowCount, timings.single)
    }

    private func network(rows: Int) -> PartResult {
        let batch = batch(rows: rows)
        var workspace = Workspace()
        var output: [Float] = []
        let timings = timedRound(calls: 20_000, nanoseconds: 400_000_000) {
            model.predict(batch, into: &output, workspace: &workspace)
        }
        return PartResult("network", count: rows, timings.single)
    }

    /// One row through the actor: what it adds to `network` of one row.
    private func actor(_ inference: TrafficInference) async throws -> PartResult {
        let batch = batch(rows: 1)
        var timings: [UInt64] = []
        for _ in 0..<20_000 {
            let start = Stopwatch.now()
            _ = try await inference.predict(batch)
            timings.append(Stopwatch.now() - start)
        }
        return PartResult("network through the actor", count: 1, timings)
    }

    private func scoring(_ table: ForecastTable) throws -> PartResult {
        let timings = try timedRound(calls: 1_000, nanoseconds: 600_000_000) {
            _ = try table.rank(routes, leaving: table.issueTime)
        }
        return PartResult("scoring", count: routes.count, timings.single)
    }
}

/// What is timed when roads are: with the first situation, the network of a file.
extension ForecastBench {
    /// The benchmark of a network's file.
    public func roads(_ file: URL) -> RoadBench {
        RoadBench(model, situation: situations[0], file: file)
    }
}

/// The most memory this process has had in RAM, kB.
func peakResidentKB() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

/// Memory of this process that is in RAM, kB.
func residentKB() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
}
