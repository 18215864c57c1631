// `bridgecast origins score`: scores model files that are there, one for each origin.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastTraining
import Foundation

struct OriginsScore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score",
        abstract: "Scores models that were fitted elsewhere at their origins.",
        discussion: """
            The model of an origin is ORIGIN.int8.bcm or ORIGIN/bridgecast.int8.bcm in the folder; \
            beside it the same in fp32 may lie. Origins without a model are left out.
            """)

    @Option(name: .long, help: "Folder of the models.")
    var modelFolder: String

    @OptionGroup var options: OriginOptions

    @OptionGroup var records: RecordOptions

    func run() async throws {
        try await reportingFailures {
            let origins = try options.origins()
            let found = origins.compactMap { origin in
                model(of: origin, "int8").map { (origin: origin, path: $0) }
            }
            guard !found.isEmpty else {
                throw CommandFailure(
                    .missingInput,
                    "\(modelFolder): there is no ORIGIN.int8.bcm or ORIGIN/bridgecast.int8.bcm "
                        + "of \(origins.map(\.name).joined(separator: ", "))")
            }
            let folder = try OriginFolder(options)
            let history = try records.load().history
            for (origin, path) in found {
                let model = try ModelLoading.load(path)
                let provenance = model.header.provenance
                guard provenance.fittedBefore <= origin.fittedBefore else {
                    throw CommandFailure(
                        .data,
                        "\(path): was fitted to records before \(TimeText.rfc3339(provenance.fittedBefore)), "
                            + "but the origin needs a fit to those before "
                            + TimeText.rfc3339(origin.fittedBefore))
                }
                let making = OriginScores.Making(model.header)
                if try folder.hasScores(of: origin, making: making) { continue }
                let scorer = try OriginsRun.scorer(origin, history)
                let fp32 = try self.model(of: origin, "fp32").map { try ModelLoading.load($0) }
                try await OriginsRun.score(
                    model, fp32: fp32, making, at: origin, by: scorer, to: folder, options)
            }
        }
    }

    private func model(of origin: RollingOrigin, _ format: String) -> String? {
        [
            "\(modelFolder)/\(origin.name).\(format).bcm",
            "\(modelFolder)/\(origin.name)/bridgecast.\(format).bcm",
        ].first { FileManager.default.fileExists(atPath: $0) }
    }
}
