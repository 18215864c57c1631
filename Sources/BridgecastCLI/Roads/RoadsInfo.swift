// `bridgecast roads info`: what a road network has.
import ArgumentParser
import BridgecastRoads
import Foundation

/// `bridgecast roads info`.
struct RoadsInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Says what a road network has: roads, crossings of water, places, its source.")

    @Argument(help: "The network. Default: Seattle's, which is shipped.")
    var file: String?

    @Option(name: .long, help: "Output: text or json.")
    var format = RoadsFormat.text

    func run() async throws {
        try await reportingFailures {
            let url = try file.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.roadsFile()
            let facts = RoadsFacts(
                try RoadNetwork(contentsOf: url), path: file ?? url.path,
                try RoadFileBytes.digest(of: url))
            switch format {
            case .text: try Console.print(facts.text)
            case .json: try Console.print(try json(facts))
            }
        }
    }
}
