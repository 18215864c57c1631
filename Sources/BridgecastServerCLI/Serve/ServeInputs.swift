// The files that a service works with: model, roads, documents, the administrator's token; read for a run and for
// `--check`.
import BridgecastAnswers
import BridgecastCLI
import BridgecastEngine
import BridgecastRoads
import BridgecastService
import Foundation

/// Files of a plan that have been read.
struct ServeInputs {
    let model: LoadedModel
    /// SHA-256 of the bytes that the model was read from.
    let modelDigest: String
    let modelURL: URL
    let network: RoadNetwork?
    let skill: Data?
    let geography: Data?
    let page: PageShelf?
    /// The plan's settings with the administrator's token.
    let settings: ServiceSettings

    /// A shorter token could be guessed; a longer file is none.
    private static let tokenLengths = ServiceSettings.leastTokenLength...4096

    /// Reads all files.
    ///
    /// - Throws: ``CommandFailure``, or an error of the file that says what is wrong with it.
    init(_ plan: ServePlan) throws {
        modelURL =
            plan.model.isEmpty
            ? try ShippedFiles.defaultModel() : URL(fileURLWithPath: plan.model)
        (model, modelDigest) = try ModelLoading.loadNamed(modelURL)
        network = try Self.network(plan)
        skill = try Self.skill(plan)
        page = try ServePage.page(plan)
        geography = ShippedFiles.documentIfAny("models/geography/seattle-water.geojson")
        var settings = plan.settings
        settings.adminToken = try Self.token(plan.adminTokenFile)
        self.settings = settings
        do {
            _ = try ProxyTrust(settings)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    private static func network(_ plan: ServePlan) throws -> RoadNetwork? {
        if plan.noNetwork { return nil }
        if !plan.network.isEmpty {
            return try RoadNetwork(contentsOf: URL(fileURLWithPath: plan.network))
        }
        return try RoadNetwork(contentsOf: try ShippedFiles.roadsFile())
    }

    /// The named evaluation; with the shipped model that of the checkout.
    private static func skill(_ plan: ServePlan) throws -> Data? {
        if !plan.skill.isEmpty {
            let data = try read(plan.skill, of: "--skill")
            guard SkillDocument.isReadable(data) else {
                throw CommandFailure(
                    .data, "\(plan.skill): no evaluation; `bridgecast evaluate --skill` writes one")
            }
            return data
        }
        return plan.model.isEmpty ? ShippedFiles.documentIfAny("models/bridgecast.skill.json") : nil
    }

    private static func token(_ path: String) throws -> String? {
        guard !path.isEmpty else { return nil }
        let data = try read(path, of: "--admin-token-file")
        let text = String(decoding: data.prefix(tokenLengths.upperBound + 1), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard tokenLengths.contains(text.utf8.count), text.allSatisfy({ $0 > " " && $0 <= "~" })
        else {
            throw CommandFailure(
                .data,
                "\(path): no token of \(tokenLengths.lowerBound) characters or more, without blanks"
            )
        }
        return text
    }

    private static func read(_ path: String, of option: String) throws -> Data {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.missingInput, "\(option): \(path): there is no such file")
        }
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure(.io, "\(option): \(path): cannot be read")
        }
    }
}
