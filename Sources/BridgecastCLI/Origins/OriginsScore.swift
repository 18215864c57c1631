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
            beside it the same in fp32 may lie. Origins without a model are left out, unless they are \
            named.
            """)

    @Option(name: .long, help: "Folder of the models.")
    var modelFolder: String

    @OptionGroup var options: OriginOptions

    @OptionGroup var records: RecordOptions

    func run() async throws {
        try await reportingFailures {
            let models = try models()
            let folder = OriginFolder(options)
            var lock = try folder.lock()
            defer { withExtendedLifetime(lock) {} }
            let history = try records.load().history
            let digest = history.digest
            // All that could be refused, before anything is scored.
            var open: [(work: OriginWork, model: LoadedModel)] = []
            for (origin, model) in models {
                let making = OriginScores.Making(model.header, scoredOn: digest)
                try folder.checkOthers(than: models.map(\.origin), making.recipeFacts)
                if try folder.hasScores(of: origin, making: making) { continue }
                open.append((try OriginWork(origin, history, making: making), model))
            }
            let done = models.count - open.count
            if done > 0 {
                note("bridgecast: \(done) of \(models.count) origins are there already")
            }
            remark(RecordsReviewText.scored(history, in: open.map(\.work.origin.interval)))
            if !open.isEmpty { lock = try folder.make(lock) }
            for (work, model) in open {
                try await work.score(
                    model, fp32: fp32(of: model, at: work.origin), recipe: options.recipeName,
                    to: folder)
            }
        }
    }

    /// The models that are there, none of which has seen what it is scored on.
    private func models() throws -> [(origin: RollingOrigin, model: LoadedModel)] {
        let origins = try options.origins()
        let found = origins.compactMap { origin in
            path(of: origin, "int8").map { (origin: origin, path: $0) }
        }
        let missing = origins.filter { origin in !found.contains { $0.origin == origin } }
        // Those that are named are all meant; of the usual ones some may not have been fitted.
        guard !found.isEmpty, missing.isEmpty || options.origin.isEmpty else {
            throw CommandFailure(
                .missingInput,
                "\(modelFolder): there is no ORIGIN.int8.bcm or ORIGIN/bridgecast.int8.bcm "
                    + "of \(missing.map(\.name).joined(separator: ", "))")
        }
        return try found.map { origin, path in
            let model = try ModelLoading.load(path)
            let fittedBefore = model.header.provenance.fittedBefore
            guard fittedBefore <= origin.fittedBefore else {
                throw CommandFailure(
                    .data,
                    "\(path): was fitted to records before \(TimeText.rfc3339(fittedBefore)), "
                        + "but the origin needs a fit to those before "
                        + TimeText.rfc3339(origin.fittedBefore))
            }
            return (origin, model)
        }
    }

    /// The same weights in fp32, if they are there; a file that is of another fit is not used.
    private func fp32(of model: LoadedModel, at origin: RollingOrigin) -> LoadedModel? {
        guard let path = path(of: origin, "fp32") else { return nil }
        do {
            let other = try ModelLoading.load(path)
            guard other.header.weightFormat == .fp32,
                other.header.schemaHash == model.header.schemaHash,
                other.header.provenance == model.header.provenance
            else {
                remark(["is not of the same fit as the int8 file, not used"], on: path)
                return nil
            }
            return other
        } catch {
            remark(["\(CommandFailure(error).message); not used"])
            return nil
        }
    }

    private func path(of origin: RollingOrigin, _ format: String) -> String? {
        [
            "\(modelFolder)/\(origin.name).\(format).bcm",
            "\(modelFolder)/\(origin.name)/bridgecast.\(format).bcm",
        ].first { FileManager.default.fileExists(atPath: $0) }
    }
}
