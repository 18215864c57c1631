// `bridgecast roads import`: makes a road network of an extract.
import ArgumentParser
import BridgecastCLI
import BridgecastCore
import BridgecastRoadImport
import BridgecastRoads
import BridgecastSupport
import Foundation

/// `roads` with the import itself, which `bridgecast` only starts.
struct ServerRoadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: RoadsCommand.configuration.commandName,
        abstract: RoadsCommand.configuration.abstract,
        subcommands: RoadsCommand.configuration.subcommands.map { command in
            command.configuration.commandName == RoadsImport.configuration.commandName
                ? RoadsImport.self : command
        })
}

/// `bridgecast roads import`.
struct RoadsImport: AsyncParsableCommand {
    static let configuration = RoadsCommand.importConfiguration

    @Argument(help: "The extract.")
    var extract: String

    @Option(name: .shortAndLong, help: "The network file to write.")
    var output: String

    @Option(name: .long, help: "Name of the network.")
    var name = RoadImportOptions().name

    @Option(
        name: .long,
        help: "Trails, sidewalks and places that the extract lacks, as models/roads/README.md says."
    )
    var additions: String?

    @Flag(name: .long, help: "Accept an extract that lacks drawbridges, such as another city's.")
    var withoutBridges = false

    @Option(name: .long, help: "Output: text or json.")
    var format = RoadsFormat.text

    /// Names are shown in one line.
    private static let maxNameLength = 100

    func validate() throws {
        let isBlank = name.allSatisfy(\.isWhitespace)
        guard !isBlank, name.count <= Self.maxNameLength else {
            throw ValidationError("--name must have 1 to \(Self.maxNameLength) characters")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let file = OutputFile(output)
            for input in [extract] + (additions.map { [$0] } ?? []) where file.isSame(as: input) {
                throw CommandFailure(
                    .usage, "--output \(output): is the file that is read; name another")
            }
            try file.check()
            var options = RoadImportOptions()
            options.name = name
            options.withoutBridges = withoutBridges
            options.additions = try additions.map {
                try RoadAdditions.read(URL(fileURLWithPath: $0))
            }
            var steps = ImportSteps()
            let roads = try await steps.run("read", "reading \(extract)") {
                try RoadExtract.read(URL(fileURLWithPath: extract))
            }
            let made = try await steps.run("map", "\(roads.ways.count) ways; making the graph") {
                try RoadImport(roads, options: options)
            }
            let network = try await steps.run(
                "prepare", "\(made.report.arcs) pieces of road; preparing them for searching"
            ) {
                try await made.network()
            }
            let bytes = try await steps.run("write", "writing \(output)") {
                let bytes = try RoadFileWriter.bytes(of: network)
                // What is written can be read.
                _ = try RoadNetwork(bytes, file: output)
                try file.write(bytes)
                return bytes
            }
            let document = ImportDocument(
                network, made.report, took: steps, file: output, bytes: bytes)
            switch format {
            case .text: try Console.print(document.text(made.report))
            case .json: try Console.print(try json(document))
            }
        }
    }
}

// MARK: - Document

/// The JSON of `roads import`.
struct ImportDocument: Encodable {
    struct Roads: Encodable {
        let name: String
        let pieces: Int
        let kilometres: Double
    }

    struct Water: Encodable {
        let name: String
        let isDrawbridge: Bool
        let pieces: Int
        let ways: [Int64]
    }

    struct LeftOut: Encodable {
        let reason: String
        let count: Int
        let examples: [String]
    }

    let output: String
    let bytes: Int
    let sha256: String
    let name, source, attribution: String
    let extractWays, extractNodes: Int
    let readKilometres: Double
    let junctions, pieces, names, places: Int
    let classes: [Roads]
    let crossings: [Water]
    let leftOut: [LeftOut]
    let remarks: [String]
    /// Seconds by step.
    let stepsS: [String: Double]
    private let steps: [(step: String, seconds: Double)]

    private enum CodingKeys: String, CodingKey {
        case output, bytes, sha256, name, source, attribution, extractWays, extractNodes
        case readKilometres, junctions, pieces, names, places, classes, crossings, leftOut, remarks
        case stepsS
    }

    init(
        _ network: RoadNetwork, _ report: RoadImportReport, took steps: ImportSteps,
        file output: String, bytes file: Data
    ) {
        var digest = SHA256()
        digest.update(file.span)
        self.output = output
        bytes = file.count
        sha256 = hexadecimal(digest.finish())
        name = network.name
        source = network.source
        attribution = network.attribution
        extractWays = report.extractWays
        extractNodes = report.extractNodes
        readKilometres = report.readKilometres
        junctions = report.nodes
        pieces = report.arcs
        names = report.names
        places = network.places.count
        classes = report.classes.map {
            Roads(name: $0.name, pieces: $0.arcs, kilometres: $0.kilometres)
        }
        crossings = report.crossings.map {
            Water(
                name: $0.name, isDrawbridge: $0.isDrawbridge, pieces: $0.arcs, ways: $0.ways)
        }
        leftOut = report.dropped.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            LeftOut(
                reason: "\($0.key)", count: $0.value.count,
                examples: $0.value.examples.map(\.description))
        }
        remarks = report.remarks
        self.steps = steps.seconds
        stepsS = Dictionary(uniqueKeysWithValues: steps.seconds.map { ($0.step, $0.seconds) })
    }

    /// For people.
    func text(_ report: RoadImportReport) -> String {
        let times = steps.map { String(format: "\($0.step) %.2f s", $0.seconds) }
        return """
            \(report)
            took: \(times.joined(separator: ", "))
            \(output): \(name), \(bytes) bytes, SHA-256 \(sha256)
            \(attribution)
            """
    }
}

/// How long each step took.
struct ImportSteps {
    private(set) var seconds: [(step: String, seconds: Double)] = []

    /// Runs a step, after a note.
    mutating func run<Made>(
        _ step: String, _ text: String, _ body: () async throws -> Made
    ) async throws -> Made {
        note("bridgecast: \(text)")
        let clock = ContinuousClock()
        let start = clock.now
        let made = try await body()
        let (whole, parts) = (clock.now - start).components
        seconds.append((step, Double(whole) + Double(parts) / 1e18))
        return made
    }
}
