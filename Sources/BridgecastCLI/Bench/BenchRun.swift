// Runs the parts of `bridgecast bench` on the shipped model and records.
import BridgecastBench
import BridgecastCore
import Foundation

/// One run of `bench`.
struct BenchRun {
    let plan: BenchPlan
    let parts: [BenchPart]
    let networks: [String]
    let records: URL?
    let machine: Machine

    func run(_ progress: (String) -> Void) async throws -> BenchReport {
        let bench = try NetworkBench(plan)
        var report = BenchReport(machine: machine, onnxruntime: bench.onnxRuntimeVersion)
        // First, because a program that has loaded a model before loads the next one faster.
        if parts.contains(.load) {
            progress("loading")
            report.load = try LoadBench.run(
                try ShippedFiles.defaultModel(), rounds: plan.rounds)
            report.onnxruntimeLoad = try bench.loadOnnxRuntime("shipped", rounds: plan.rounds)
        }
        if parts.contains(.records), let records {
            progress("records")
            report.records = try RecordBench.run(records)
        }
        if parts.contains(.live) {
            progress("live pipeline")
            report.live.append(try await LiveBench.run(watchers: 0, days: 14))
            report.live.append(try await LiveBench.run(watchers: 10_000, days: 1))
        }
        guard [.network, .pipeline, .roads, .overload].contains(where: parts.contains) else {
            return report
        }
        let forecast = try forecastBench()
        if parts.contains(.roads) {
            progress("roads")
            report.roads = try await forecast.roads(try ShippedFiles.roadsFile()).run()
        }
        if parts.contains(.overload) {
            progress("overload")
            report.overload = try await forecast.overload().run()
        }
        if parts.contains(.network) {
            for network in try Self.networks(networks, forecast) {
                report.networks += try bench.run(network, progress: progress)
            }
            report.ratios = BenchRatio.all(report.networks)
        }
        if parts.contains(.pipeline) {
            progress("features, network, scoring")
            report.pipeline = try await forecast.run()
        }
        return report
    }

    /// Measures which path is the faster one; plan, parts and networks are those of ``PathTuning``.
    func tune(_ progress: (String) -> Void) throws -> PathTuningReport {
        let gains = try Self.networks(["A", "B", "shipped"], forecastBench()).flatMap {
            try PathTuning.gains($0, progress: progress)
        }
        return PathTuningReport(
            machine: machine, gains: gains, table: PathTuning.table(gains, on: machine))
    }

    private static func networks(
        _ names: [String], _ forecast: ForecastBench
    ) throws -> [BenchNetwork] {
        let random = try BenchNetworks.randomNetworks()
        return try names.map { name in
            if let network = random.first(where: { $0.name == name }) { return network }
            guard name == "shipped" else {
                throw CommandFailure(.usage, "--networks: '\(name)' is none of A, B, shipped")
            }
            let models = try ShippedFiles.models().map { try ModelLoading.load($0.1) }
            let batch = forecast.batch(rows: 4096)
            return BenchNetworks.forecast(
                name, models, rows: batch.rows, prior: batch.priorLogits)
        }
    }

    func forecastBench() throws -> ForecastBench {
        let reader = SituationReader(try LoadedRecords.shipped().history)
        let start = try TimeText.parse("2026-02-20T07:00")
        return ForecastBench(
            try ModelLoading.load(nil),
            situations: (0..<24).map {
                reader.situation(at: start.adding(minutes: Double($0) * 31))
            },
            routes: try ShippedFiles.commutes())
    }
}
