// Which code runs a batch: by the table of the network, the shipped one or that of the environment.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct PathTableTests {
    static let layers = RandomNetwork.layers([24, 40, 5], seed: 3)
    static let formats: [(WeightFormat, NetworkLayers)] = [
        (.fp32, .float(layers)), (.fp16, .half(layers)),
        (.int8, RandomNetwork.quantised([24, 40, 5], extreme: false, seed: 4)),
    ]

    static func network(
        _ layers: NetworkLayers, _ set: InstructionSet = .preferred, paths: PathTable? = nil
    ) -> CompiledNetwork {
        CompiledNetwork(
            RandomNetwork.normalisation(24, seed: 5), layers, instructionSet: set, paths: paths)
    }

    @Test(arguments: InstructionSet.available)
    func openBLASTakesBatchesFromThatOfTheTableOn(_ set: InstructionSet) {
        for (format, layers) in Self.formats {
            var table = PathTable(set)
            let kernels = ComputeUnits.Path.kernels(set)
            let never = Self.network(layers, set, paths: table)
            #expect(never.path(.all, rows: 1 << 40, asLists: false) == kernels)
            #expect(never.path(.all, rows: 1 << 40, asLists: true) == kernels)
            table[format] = PathTable.Crossover(rows: 8, lists: 3)
            let network = Self.network(layers, set, paths: table)
            #expect(network.path(.all, rows: 7, asLists: false) == kernels)
            #expect(network.path(.all, rows: 8, asLists: false) == .blas)
            #expect(network.path(.all, rows: 2, asLists: true) == kernels)
            #expect(network.path(.all, rows: 3, asLists: true) == .blas)
            #expect(network.path(.simd, rows: 8, asLists: false) == kernels)
            #expect(network.path(.blas, rows: 1, asLists: true) == .blas)
            #expect(network.path(.reference, rows: 8, asLists: true) == .kernels(.scalar))
        }
    }

    @Test func aBatchGivesTheResultOfItsPath() {
        for (format, layers) in Self.formats {
            var table = PathTable(.preferred)
            table[format] = PathTable.Crossover(rows: 8, lists: 8)
            let network = Self.network(layers, paths: table)
            for (rows, units) in [(7, ComputeUnits.simd), (8, .blas), (300, .blas)] {
                let features = RandomNetwork.features(rows, 24, seed: 6)
                let expected = logits(network, features, rows, units: units)
                #expect(logits(network, features, rows, units: .all) == expected)
                let lists = ListKernelTests.rows(rows, width: 24, seed: 7)
                let ofLists =
                    units == .blas
                    ? logits(network, lists.dense(), rows, units: .blas) : logits(network, lists)
                #expect(logits(network, lists, units: .all) == ofLists)
            }
        }
    }

    @Test func withoutATableTheShippedOneHolds() {
        for set in InstructionSet.available {
            #expect(PathTable.shipped(for: set).instructionSet == set)
            let network = Self.network(
                .float(Self.layers), set, paths: .shipped(for: set))
            let last = network.path(.all, rows: 4096, asLists: false)
            // Plain C is what OpenBLAS beats.
            #expect(last == (set == .scalar ? .blas : .kernels(set)))
        }
    }

    @Test func whatIsWrittenIsRead() throws {
        var table = PathTable(.avx2, cpu: "family 1 model 2", openBLASCore: "Haswell")
        table.fp32.rows = 64
        table.int8 = PathTable.Crossover(rows: 1, lists: 4096)
        let json = try JSONEncoder().encode(table)
        #expect(try PathTable(json: Array(json)) == table)
    }

    static let good = """
        {"instruction_set": "scalar", "cpu": "", "open_blas_core": "", "blas_from": {
         "int8": {"rows": 1, "lists": 2}, "fp16": {"rows": null, "lists": 4},
         "fp32": {"rows": 5, "lists": null}}}
        """

    @Test(arguments: [
        ("{", "}", "field instruction_set is missing"),
        ("\"scalar\"", "\"mmx\"", "field instruction_set: 'mmx' is none of scalar, neon, avx2"),
        ("\"scalar\"", "7", "field instruction_set has the wrong type: a string is needed"),
        ("\"cpu\": \"\", ", "", "field cpu is missing"),
        ("\"cpu\"", "\"gpu\": 1, \"cpu\"", "field gpu: nobody reads it"),
        ("\"rows\": 1, ", "", "field blas_from.int8.rows is missing"),
        ("\"rows\": 1", "\"rows\": 0", "field blas_from.int8.rows: 0 is no batch"),
        ("\"rows\": 1", "\"rows\": -3", "field blas_from.int8.rows: -3 is no batch"),
        ("\"lists\": 4", "\"lists\": 1e3", "field blas_from.fp16.lists: the number is not"),
        ("\"lists\": 4", "\"lists\": \"never\"", "blas_from.fp16.lists has the wrong type"),
        ("\"lists\": 4", "\"columns\": 4", "field blas_from.fp16.columns: nobody reads it"),
        ("\"int8\"", "\"int4\"", "field blas_from.int4: there is no such number format"),
        ("}}}", "}}} {", "something follows the object"),
        ("}}}", "}}", "',' is missing"),
    ]) func aWrongFileIsRefusedByItsField(_ edit: (String, String, String)) throws {
        let (old, new, problem) = edit
        let text =
            old == "{" ? "{}" : Self.good.replacingOccurrences(of: old, with: new)
        let path = try Self.write(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: PathTableError.self) {
            try PathTable.forced(by: path, kernels: .scalar)
        }
        #expect(error?.kind == .data)
        #expect(error?.description.hasPrefix("BRIDGECAST_PATHS: \(path): ") == true)
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test func aTableOfOtherKernelsIsRefused() throws {
        let path = try Self.write(Self.good)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try PathTable.forced(by: path, kernels: .scalar)?.int8.lists == 2)
        let error = #expect(throws: PathTableError.self) {
            try PathTable.forced(by: path, kernels: .avx2)
        }
        #expect(error?.description.contains("measured with the kernels of scalar") == true)
    }

    @Test func aFileThatIsNotThereIsMissing() throws {
        #expect(try PathTable.forced(by: nil, kernels: .scalar) == nil)
        #expect(try PathTable.forced(by: "", kernels: .scalar) == nil)
        let error = #expect(throws: PathTableError.self) {
            try PathTable.forced(by: "/nowhere/paths.json", kernels: .scalar)
        }
        #expect(error?.kind == .missing)
    }

    /// In a process of its own: the environment is read once.
    @Test func theEnvironmentsTableHoldsForEveryNetwork() async {
        await #expect(processExitsWith: .success) {
            var table = PathTable(.preferred)
            table.fp32.rows = 8
            let path = try Self.write(
                String(decoding: try JSONEncoder().encode(table), as: UTF8.self))
            defer { try? FileManager.default.removeItem(atPath: path) }
            setenv("BRIDGECAST_PATHS", path, 1)
            let network = Self.network(.float(Self.layers))
            precondition(network.path(.all, rows: 8, asLists: false) == .blas)
            precondition(network.path(.all, rows: 7, asLists: false) != .blas)
            // Of other kernels it says nothing.
            for set in InstructionSet.available where set != .preferred {
                precondition(PathTable.preferred(for: set) == .shipped(for: set))
            }
        }
    }

    /// In a process of its own, as above.
    @Test func theLibraryIgnoresAFileThatIsNone() async {
        await #expect(processExitsWith: .success) {
            setenv("BRIDGECAST_PATHS", "/dev/null", 1)
            precondition((try? PathTable.forced()) == nil)
            let set = InstructionSet.preferred
            precondition(PathTable.preferred(for: set) == .shipped(for: set))
        }
    }

    private static func write(_ text: String) throws -> String {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-paths-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: url)
        return url.path
    }
}
