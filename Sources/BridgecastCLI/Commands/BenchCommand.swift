// `bridgecast bench`: the speed of the engine on this machine, compared with onnxruntime if it is installed. The
// measurements of the engine are in BridgecastBench.
import ArgumentParser
import BridgecastBench
import BridgecastCore
import BridgecastEngine
import BridgecastRoads
import BridgecastRouting
import Foundation

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures the engine, forecasts, roads and loading.",
        discussion: """
            Networks A (48-128-64-12) and B (64-256-256-128-16) have random weights and give logits; \
            `shipped` is the forecast model on rows of the shipped records. Every output is compared with \
            plain C before anything is timed. tools/bench_onnxruntime adds onnxruntime in the same rounds.
            """)

    @Option(
        help:
            "Parts, comma-separated: network, pipeline, load, live, roads, overload, alerts, records, reminders, journals."
    )
    var parts = "network,pipeline,load"

    @Option(help: "Networks, comma-separated: A, B, shipped.")
    var networks = "A,B,shipped"

    @Option(help: "Rows of a call, comma-separated.")
    var batches = "1,2,7,16,64,256,1024,16384,131072"

    @Option(help: "Threads of a call, comma-separated.")
    var threads = "1,2"

    @Option(help: "Number formats, comma-separated: int8, fp16, fp32.")
    var formats = "int8,fp16,fp32"

    @Option(help: "Our paths, comma-separated: reference, simd, blas, all.")
    var units = "simd,blas"

    @Option(help: "Rounds in which all contenders take a turn.")
    var rounds = 7

    @Option(help: "Approximate length of a turn, milliseconds.")
    var turn = 20.0

    @Option(help: "Opening records to read, and to store, for part `records`.")
    var records: String?

    @Option(help: "onnxruntime's shared library, to compare with.")
    var onnxruntime: String?

    @Option(
        help: "Folder of the ONNX models: A.fp32.onnx, A.int8-u8.onnx, A.int8-s8.onnx and so on.")
    var onnxModels: String?

    @Option(
        help: "Write networks A, B and the shipped model to this folder as .bcm files and stop.")
    var saveNetworks: String?

    @Option(
        help:
            "Only predict the first of --batches this many times, untimed; for tools/checks/count_allocations."
    )
    var predictOnly: Int?

    @Option(
        help:
            "Only rank the first of --batches candidate routes this many times, untimed; for tools/checks/count_allocations."
    )
    var rankOnly: Int?

    @Option(help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            if let saveNetworks { return try save(to: saveNetworks) }
            let plan = try plan()
            let machine = Machine()
            for warning in machine.warnings { note("WARNING: \(warning)") }
            let bench = BenchRun(
                plan: plan, parts: try Self.list(parts, of: BenchPart.self, option: "--parts"),
                networks: networks.split(separator: ",").map(String.init),
                records: records.map { URL(fileURLWithPath: $0) }, machine: machine)
            if let predictOnly {
                return try bench.forecastBench().predictOnly(
                    rows: plan.batches[0], calls: predictOnly)
            }
            if let rankOnly {
                return try await bench.forecastBench().rankOnly(
                    routes: plan.batches[0], calls: rankOnly)
            }
            let report = try await bench.run { note($0) }
            switch format {
            case .json: try Console.print(try json(report))
            case .table: try Console.print(BenchText.text(report))
            }
        }
    }

    private func save(to folder: String) throws {
        let folder = try OutputFolder(folder)
        for file in BenchNetworks.files() {
            try folder.file(file.name).write(Data(file.bytes))
        }
        for (format, file) in try ShippedFiles.models() {
            try folder.file("shipped.\(format.rawValue).bcm").write(try Data(contentsOf: file))
        }
    }

    private func plan() throws -> BenchPlan {
        var plan = BenchPlan()
        plan.batches = try Self.numbers(batches, option: "--batches")
        plan.threads = try Self.numbers(threads, option: "--threads")
        plan.formats = try Self.list(formats, of: WeightFormat.self, option: "--formats")
        plan.units = try Self.list(units, of: ComputeUnits.self, option: "--units")
        guard
            [predictOnly, rankOnly].allSatisfy({
                $0.map { (1...1_000_000_000).contains($0) } ?? true
            })
        else {
            throw CommandFailure(.usage, "--predict-only and --rank-only: 1 to 1000000000 calls")
        }
        guard (1...1000).contains(rounds), turn > 0, turn <= 60_000 else {
            throw CommandFailure(
                .usage, "--rounds must be 1 to 1000, --turn above 0 and up to 60000")
        }
        plan.rounds = rounds
        plan.turnMilliseconds = turn
        switch (onnxruntime, onnxModels) {
        case (let library?, let models?): plan.onnxRuntime = (library, models)
        case (nil, nil): break
        default:
            throw CommandFailure(.usage, "--onnxruntime and --onnx-models need each other")
        }
        return plan
    }

    private static func numbers(_ text: String, option: String) throws -> [Int] {
        try text.split(separator: ",").map {
            guard let number = Int($0), (1...1 << 22).contains(number) else {
                throw CommandFailure(.usage, "\(option): '\($0)' is not a number from 1 to 4194304")
            }
            return number
        }
    }

    private static func list<Choice: RawRepresentable & CaseIterable>(
        _ text: String, of type: Choice.Type, option: String
    ) throws -> [Choice] where Choice.RawValue == String {
        try text.split(separator: ",").map {
            guard let choice = Choice(rawValue: String($0)) else {
                let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(.usage, "\(option): '\($0)' must be one of \(known)")
            }
            return choice
        }
    }
}

enum BenchPart: String, CaseIterable {
    case network, pipeline, load, live, roads, overload, alerts, records, reminders, journals
}

/// The JSON of `bench`.
struct BenchReport: Encodable {
    let machine: Machine
    let onnxruntime: String?
    var networks: [BenchResult] = []
    var ratios: [BenchRatio] = []
    var pipeline: [PartResult] = []
    var load: LoadBench.Result?
    var onnxruntimeLoad: [PartResult] = []
    var records: RecordBench.Result?
    var live: [LiveBench.Result] = []
    var roads: RoadBench.Result?
    var overload: [OverloadResult] = []
    var alerts: AlertBench.Result?
    var reminders: ReminderBench.Result?
    var journals: [JournalBench.Result] = []
}

// MARK: - Run

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
        // First, because a process loads its second model faster.
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
        if parts.contains(.alerts) {
            progress("alerts")
            report.alerts = try AlertBench.run()
        }
        if parts.contains(.live) {
            progress("live pipeline")
            report.live.append(try await LiveBench.run(watchers: 0, days: 14))
            report.live.append(try await LiveBench.run(watchers: 10_000, days: 1))
        }
        if parts.contains(.journals) {
            progress("journals")
            report.journals = try JournalBench.run()
        }
        if parts.contains(.reminders) {
            progress("reminders")
            report.reminders = try await ReminderBench(
                try ModelLoading.load(nil), network: try ShippedFiles.roads(),
                at: try TimeText.parse("2026-02-20T12:00")
            ).run()
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
            report.pipeline = try await forecast.run(try await Self.commuteRoutes())
        }
        return report
    }

    private static func networks(
        _ names: [String], _ forecast: ForecastBench
    ) throws -> [BenchNetwork] {
        let random = try BenchNetworks.randomNetworks()
        return try names.map { name in
            if let network = random.first(where: { $0.name == name }) { return network }
            guard name == "shipped" else {
                throw CommandFailure(.usage, "--networks: '\(name)' must be one of A, B, shipped")
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
            })
    }

    /// All routes of the commutes that `predict` shows, as found at noon.
    private static func commuteRoutes() async throws -> [Route] {
        let noon = try TimeText.parse("2026-02-20T12:00")
        let roads = try ShippedFiles.roads()
        let inference = TrafficInference(try ModelLoading.load(nil))
        var routes: [Route] = []
        for commute in Commute.all {
            let ranked = try await inference.rank(
                try commute.trip(on: roads), by: RoutePlanner(roads), leaving: noon,
                in: .unknown(at: noon))
            routes += ranked.ranking.map(\.route)
        }
        return routes
    }
}
