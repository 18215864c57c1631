// `bridgecast roads import`: from an extract of OpenStreetMap to a network file.
import ArgumentParser
import BridgecastCLI
import BridgecastDigest
import BridgecastRoadImport
import BridgecastRoads
import Foundation

/// `bridgecast roads import`.
struct RoadsImport: AsyncParsableCommand {
    static let configuration = RoadsCommand.importConfiguration

    @Argument(help: "The extract.")
    var extract: String

    @Option(name: .shortAndLong, help: "The network file to write.")
    var output: String

    @Option(name: .long, help: "What to call the network.")
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
    private static let longestName = 100

    func validate() throws {
        let isBlank = name.allSatisfy(\.isWhitespace)
        guard !isBlank, name.count <= Self.longestName else {
            throw ValidationError("--name must have 1 to \(Self.longestName) characters")
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
            (options.name, options.withoutBridges) = (name, withoutBridges)
            options.additions = try additions.map {
                try RoadAdditions.read(URL(fileURLWithPath: $0))
            }
            var steps = ImportSteps()
            let roads = try await steps.run("read", "reading \(extract)") {
                try RoadExtract.read(URL(fileURLWithPath: extract))
            }
            let made = try await steps.run("map", "\(roads.ways.count) ways; drawing the map") {
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
            let document = ImportDocument(network, made.report, steps, output, bytes)
            switch format {
            case .text: try Console.print(document.text(made.report))
            case .json: try Console.print(try json(document))
            }
        }
    }
}
