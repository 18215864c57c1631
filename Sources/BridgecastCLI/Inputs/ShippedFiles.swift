// Where the files that come with Bridgecast lie: models and training data of the checkout.
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastRoads
package import Foundation

/// Files of the checkout this program was built from.
package enum ShippedFiles {
    /// The model that is used unless another is named.
    package static func defaultModel() throws -> URL { try file("models/bridgecast.int8.bcm") }

    /// The model in every number format; fp32 is shipped only beside the validated ones.
    static func models() throws -> [(WeightFormat, URL)] {
        try WeightFormat.allCases.map { format in
            let folder = format == .fp32 ? "models/validation/" : "models/"
            return (format, try file("\(folder)bridgecast.\(format.rawValue).bcm"))
        }
    }

    /// The shipped commutes, which are part of the program.
    static func commutes() throws -> [Route] {
        try RoutesFile.routes(
            Data(PackageResources.seattle_commutes_json), path: "seattle-commutes.json")
    }

    /// Seattle's roads.
    static func roads() throws -> RoadNetwork { try RoadNetwork(contentsOf: try roadsFile()) }

    /// The file of Seattle's roads.
    package static func roadsFile() throws -> URL { try file("models/roads/seattle.roads") }

    /// The shipped opening records.
    static func records() throws -> [URL] {
        [
            try file("training-data/openings-2017-2018.csv"),
            try file("training-data/openings-2025-2026.csv"),
        ]
    }

    /// The coverage of the shipped records.
    static func coverage() throws -> URL { try file("training-data/coverage.json") }

    /// The checkout: `BRIDGECAST_HOME`, or the nearest folder above the program that looks like it.
    package static func home() -> URL? {
        if let path = Console.current.environment["BRIDGECAST_HOME"], !path.isEmpty {
            return URL(fileURLWithPath: path)
        }
        guard
            let program = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe")
        else { return nil }
        var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.path + "/training-data/coverage.json")
            {
                return folder
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    /// The bytes of a document that a checkout may have; nil if it has not.
    package static func documentIfAny(_ path: String) -> Data? {
        home().flatMap { try? Data(contentsOf: $0.appendingPathComponent(path)) }
    }

    private static func file(_ path: String) throws -> URL {
        guard let home = home() else {
            throw CommandFailure(
                .missingInput,
                "cannot find \(path): set BRIDGECAST_HOME to the folder of the checkout, "
                    + "or name the file")
        }
        let url = home.appendingPathComponent(path)
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CommandFailure(.missingInput, "\(url.path): there is no such file")
        }
        return url
    }
}
