// `bridgecast bench`: how fast the engine is, on this machine, beside onnxruntime if it is there.
// Belongs here: `bench`: its run, its words, the times of live pipeline and records; not: those of the engine
// (BridgecastBench).
import ArgumentParser
import BridgecastBench
import BridgecastCore
import BridgecastEngine
import Foundation

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures the engine, forecasts, roads and loading.",
        discussion: """
            Networks A (48-128-64-12) and B (64-256-256-128-16) have random weights and give logits; \
            `shipped` is the forecast model on rows of the shipped records. Every output is compared with \
            plain C before anything is timed. tools/bench_onnxruntime adds onnxruntime in the same rounds.
            --tune measures our kernels and OpenBLAS by turns on all networks, with batches and rounds of \
            its own, in less than a minute. From that it makes the table by which `--compute-units all` \
            chooses between them. BRIDGECAST_PATHS=FILE has it used in place of the shipped one.
            """)

    @Option(
        help: "Parts, comma-separated: network, pipeline, load, live, roads, overload, records.")
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

    @Option(help: "Rounds in which all contenders take their turn.")
    var rounds = 7

    @Option(help: "About how long a turn takes, milliseconds.")
    var turn = 20.0

    @Option(help: "Opening records to read, and to store, for part `records`.")
    var records: String?

    @Option(help: "onnxruntime's shared library, to compare with.")
    var onnxruntime: String?

    @Option(
        help: "Folder of the ONNX models: A.fp32.onnx, A.int8-u8.onnx, A.int8-s8.onnx and so on.")
    var onnxModels: String?

    @Option(
        defaultAsFlag: BenchCommand.noFile, parsing: .next,
        help: "Measure from which batch OpenBLAS is faster; write the table to this file if named.")
    var tune: String?

    @Option(
        help: "Write networks A, B and the shipped model to this folder as .bcm files and stop.")
    var saveNetworks: String?

    @Option(
        help:
            "Only predict the first of --batches so many times, untimed; for tools/checks/count_allocations."
    )
    var predictOnly: Int?

    @Option(
        help:
            "Only rank the first of --batches candidate routes so many times, untimed; for tools/checks/count_allocations."
    )
    var rankOnly: Int?

    @Option(help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        // A table that is no longer right is no reason not to make a new one.
        try await reportingFailures(usesPaths: tune == nil) {
            if tune != nil, saveNetworks != nil || predictOnly != nil || rankOnly != nil {
                throw CommandFailure(
                    .usage,
                    "--tune measures and stops, as do --save-networks, --predict-only and --rank-only: give one"
                )
            }
            if let saveNetworks { return try save(to: saveNetworks) }
            let plan = try plan()
            let machine = Machine()
            for warning in machine.warnings { note("WARNING: \(warning)") }
            if tune == nil, try PathTable.forced() != nil {
                note(
                    "WARNING: the table of \(PathTable.environmentVariable) decides what `all` runs on"
                )
            }
            let bench = BenchRun(
                plan: plan, parts: try Self.list(parts, of: BenchPart.self, "--parts"),
                networks: networks.split(separator: ",").map(String.init),
                records: records.map { URL(fileURLWithPath: $0) }, machine: machine)
            if let tune { return try self.tune(bench, to: tune) }
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

    /// In place of a file to write.
    static let noFile = "-"

    private func tune(_ bench: BenchRun, to path: String) throws {
        let file = path == Self.noFile ? nil : OutputFile(path)
        try file?.check()
        let report = try bench.tune { note($0) }
        switch format {
        case .json: try Console.print(try json(report))
        case .table: try Console.print(report.text())
        }
        try file?.write(try json(report.table) + "\n")
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
        plan.batches = try Self.numbers(batches, "--batches")
        plan.threads = try Self.numbers(threads, "--threads")
        plan.formats = try Self.list(formats, of: WeightFormat.self, "--formats")
        plan.units = try Self.list(units, of: ComputeUnits.self, "--units")
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
            throw CommandFailure(.usage, "--onnxruntime and --onnx-models belong together")
        }
        return plan
    }

    private static func numbers(_ text: String, _ option: String) throws -> [Int] {
        try text.split(separator: ",").map {
            guard let number = Int($0), (1...1 << 22).contains(number) else {
                throw CommandFailure(.usage, "\(option): '\($0)' is not a number from 1 to 4194304")
            }
            return number
        }
    }

    private static func list<Choice: RawRepresentable & CaseIterable>(
        _ text: String, of type: Choice.Type, _ option: String
    ) throws -> [Choice] where Choice.RawValue == String {
        try text.split(separator: ",").map {
            guard let choice = Choice(rawValue: String($0)) else {
                let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(.usage, "\(option): '\($0)' is none of \(known)")
            }
            return choice
        }
    }
}
