// `bridgecast roads find`: what a text may mean as the start or the end of a trip.
import ArgumentParser
import BridgecastCore
import BridgecastRoads
import Foundation

/// `bridgecast roads find`.
struct RoadsFind: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Finds places and street corners by the beginning of their names.")

    @Argument(help: "What --from and --to take, or the beginning of it.")
    var text: String

    @Option(name: .long, help: "The network. Default: Seattle's, which is shipped.")
    var network: String?

    @Option(name: .long, help: "How you travel: decides which road a place is led to.")
    var mode = Route.Mode.car

    @Option(name: .long, help: "How many are shown at most, 1 to 1000.")
    var limit = 10

    @Option(name: .long, help: "Output: text or json.")
    var format = RoadsFormat.text

    func validate() throws {
        guard (1...1_000).contains(limit) else {
            throw ValidationError("--limit must be 1 to 1000")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let url = try network.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.roadsFile()
            let findings = try RoadsFindings(
                text, mode, limit, on: try RoadNetwork(contentsOf: url))
            switch format {
            case .text: try Console.print(findings.words)
            case .json: try Console.print(try json(findings))
            }
        }
    }
}
