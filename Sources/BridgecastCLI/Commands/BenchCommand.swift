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

// MARK: - Text

enum BenchText {
    static func text(_ report: BenchReport) -> String {
        let machine = report.machine
        var parts = [
            """
            CPU        \(machine.cpu), \(machine.familyAndModel), \(machine.processors) processors, \
            \(machine.clockMHz) MHz stated
            kernels    \(machine.instructionSet) (available: \
            \(machine.availableInstructionSets.joined(separator: ", ")))
            OpenBLAS   \(machine.openBLASCore)
            clock      one reading costs \(fixed(machine.clockReadNanoseconds, 0)) ns, which every \
            percentile contains once
            """
        ]
        if let version = report.onnxruntime { parts[0] += "\nonnxruntime \(version)" }
        if !report.networks.isEmpty { parts.append(networks(report.networks)) }
        if !report.ratios.isEmpty { parts.append(ratios(report.ratios)) }
        if let remark = saturation(report.networks) { parts.append(remark) }
        if !report.pipeline.isEmpty {
            parts.append("Parts of a forecast, us a call\n" + table(report.pipeline))
        }
        if let load = report.load {
            parts.append(
                "Loading, us\n" + table(load.parts + report.onnxruntimeLoad)
                    + "\nfile \(load.fileBytes) bytes, packed network \(load.packedBytes) bytes")
        }
        if let roads = report.roads { parts.append(text(roads)) }
        if let reminders = report.reminders { parts.append(text(reminders)) }
        for live in report.live {
            parts.append(
                "Live, \(live.watchers) watchers: \(live.changes) readings that changed a state, "
                    + "\(live.batches) batches for \(live.requests) readings, \(live.wakes) watchers "
                    + "woken; from bytes to models p50 \(fixed(live.p50, 2)) ms, p99 "
                    + "\(fixed(live.p99, 2)) ms, maximum \(fixed(live.max, 2)) ms")
        }
        if !report.overload.isEmpty { parts.append(overload(report.overload)) }
        if let alerts = report.alerts {
            parts.append(
                "Alerts, \(alerts.people) people with \(alerts.rules) rules: \(alerts.boards) boards lead to "
                    + "\(alerts.alerts) alerts; deciding p50 \(fixed(alerts.planP50, 3)) ms, p99 "
                    + "\(fixed(alerts.planP99, 2)) ms, maximum \(fixed(alerts.planMax, 2)) ms; with keeping "
                    + "p50 \(fixed(alerts.keepP50, 1)) ms, maximum \(fixed(alerts.keepMax, 1)) ms; \(alerts.rules) reminders "
                    + "p50 \(fixed(alerts.remindP50, 1)) ms, maximum \(fixed(alerts.remindMax, 1)) ms"
            )
        }
        if !report.journals.isEmpty { parts.append(text(report.journals)) }
        if let records = report.records {
            parts.append(
                "Records: \(records.rows) rows read in \(fixed(records.readSeconds, 3)) s with at most "
                    + "\(fixed(records.peakMegabytes, 0)) MB, stored in "
                    + "\(fixed(records.storeSeconds, 2)) s")
        }
        return parts.joined(separator: "\n\n")
    }

    /// The part about journals.
    static func text(_ journals: [JournalBench.Result]) -> String {
        var table = TextTable(
            ["journal", "journeys", "open", "add one", "read all", "statistics"],
            [.left, .right, .right, .right, .right, .right])
        for result in journals {
            table.add(
                [result.isEncrypted ? "encrypted" : "plain", "\(result.journeys)"]
                    + [result.open, result.add, result.readAll, result.statistics].map {
                        fixed($0, 1)
                    })
        }
        return "Journals, ms (median)\n" + table.text()
    }

    /// The part about reminders.
    static func text(_ reminders: ReminderBench.Result) -> String {
        "Reminders, us a call; \(reminders.routes) ways in all, \(reminders.routesOverBridges) over drawbridges; "
            + "a change of a bridge moved \(fixed(reminders.changed, 0)) times to leave\n"
            + table(reminders.parts)
    }

    /// The part about roads.
    static func text(_ roads: RoadBench.Result) -> String {
        var ratios = TextTable(
            ["search of the quickest way", "times faster", "over the rounds", "rounds"],
            [.left, .right, .left, .right])
        for ratio in roads.ratios {
            ratios.add([
                ratio.trip, fixed(ratio.median, 0),
                "\(fixed(ratio.low, 0)) .. \(fixed(ratio.high, 0))", "\(ratio.rounds)",
            ])
        }
        return "Roads, us a call\n" + table(roads.parts)
            + "\nfile \(roads.fileBytes) bytes; reading it first, the process grew by "
            + "\(roads.residentKB) kB; maximum memory of all parts \(roads.peakKB) kB\n\n"
            + "Ratios to plain Dijkstra over the same pieces of road (its call over ours)\n"
            + ratios.text()
    }

    private static func networks(_ results: [BenchResult]) -> String {
        var table = TextTable(
            [
                "network", "engine", "format", "path", "threads", "batch", "p50", "p90", "p99",
                "p99.9", "in a loop", "M rows/s",
            ],
            [
                .left, .left, .left, .left, .right, .right, .right, .right, .right, .right, .right,
                .right,
            ])
        for result in results {
            table.add([
                result.network, result.engine, marked(result.format, result.saturatedBy),
                result.path, "\(result.threads)", "\(result.batch)", time(result.p50),
                time(result.p90), time(result.p99), time(result.p999),
                time(result.looped), fixed(result.rowsPerSecond / 1e6, 2),
            ])
        }
        return "Networks, us a call\n" + table.text()
    }

    private static func ratios(_ ratios: [BenchRatio]) -> String {
        var table = TextTable(
            ["network", "ours", "threads", "batch", "against", "times faster", "over the rounds"],
            [.left, .left, .right, .right, .left, .right, .left])
        for ratio in ratios {
            table.add([
                ratio.network, ratio.format, "\(ratio.threads)", "\(ratio.batch)",
                marked(ratio.against, ratio.saturatedBy),
                fixed(ratio.median, 2), "\(fixed(ratio.low, 2)) .. \(fixed(ratio.high, 2))",
            ])
        }
        return "Ratios to onnxruntime, from the same rounds (its median call over ours)\n"
            + table.text()
    }

    private static func overload(_ results: [OverloadResult]) -> String {
        var table = TextTable(
            ["clients, multiple of the capacity", "served", "refused", "us a refusal"],
            [.left, .right, .right, .right])
        for result in results {
            table.add([
                "\(result.times)", fixed(result.served, 0), fixed(result.refused, 0),
                fixed(result.refusalMicroseconds, 2),
            ])
        }
        return "Overload, requests of 50 rows a second\n" + table.text()
    }

    private static func marked(_ name: String, _ saturatedBy: Float?) -> String {
        saturatedBy == nil ? name : name + " *"
    }

    /// What the asterisks mean, if there are any.
    private static func saturation(_ results: [BenchResult]) -> String? {
        let errors = results.compactMap { result in
            result.saturatedBy.map { (result.network, $0) }
        }
        guard !errors.isEmpty else { return nil }
        let largest = Dictionary(errors, uniquingKeysWith: max).sorted { $0.key < $1.key }
        return "* onnxruntime's kernels for s8 weights saturate on this CPU; "
            + "largest error of an output: "
            + largest.map { "\($0.key) \(fixed(Double($0.value), 4))" }.joined(separator: ", ")
    }

    private static func table(_ results: [PartResult]) -> String {
        var table = TextTable(
            ["part", "count", "p50", "p90", "p99"], [.left, .right, .right, .right, .right])
        for result in results {
            table.add([
                result.part, "\(result.count)", time(result.p50), time(result.p90),
                time(result.p99),
            ])
        }
        return table.text()
    }

    private static func time(_ microseconds: Double) -> String {
        fixed(microseconds, microseconds < 10 ? 3 : microseconds < 1000 ? 1 : 0)
    }
}
