// What an import did, as JSON; and as text with the import's own report.
import BridgecastCLI
import BridgecastCore
import BridgecastDigest
import BridgecastRoadImport
import BridgecastRoads
import Foundation

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
        _ network: RoadNetwork, _ report: RoadImportReport, _ steps: ImportSteps, _ output: String,
        _ file: Data
    ) {
        var digest = SHA256()
        digest.update(file.span)
        (self.output, bytes, sha256) = (output, file.count, hexadecimal(digest.finish()))
        (name, source) = (network.name, network.source)
        attribution = network.attribution
        (extractWays, extractNodes) = (report.extractWays, report.extractNodes)
        readKilometres = report.readKilometres
        (junctions, pieces, names) = (report.nodes, report.arcs, report.names)
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
