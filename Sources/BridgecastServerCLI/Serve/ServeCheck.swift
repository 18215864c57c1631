// What `serve --check` says of the files and addresses of a plan; nothing is made, and nothing is listened on.
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastRoads
import BridgecastService
import BridgecastStore
import Foundation

enum ServeCheck {
    /// A line for each thing that was looked into.
    ///
    /// - Throws: ``CommandFailure``, or an error of the file that says what is wrong with it.
    static func words(_ plan: ServePlan) throws -> [String] {
        let inputs = try ServeInputs(plan)
        let header = inputs.model.header
        let network = inputs.network.map { "\($0.name), \($0.places.count) places" }
        return [
            "model: \(header.name) (\(header.weightFormat.rawValue)) of \(inputs.modelURL.path)",
            "network: \(network ?? "none")",
            "store: \(try store(plan))",
            "source: \(try source(plan))",
            "skill: \(inputs.skill == nil ? "none" : "there")",
            "transit: \(try ServeTransit.words(plan))",
            "page: \(inputs.page.map { "index.html and \($0.fileCount - 1) more files" } ?? "none")",
            "administration: \(inputs.settings.adminToken == nil ? "none" : "127.0.0.1:\(plan.adminPort)")",
            "everything is in order",
        ]
    }

    private static func store(_ plan: ServePlan) throws -> String {
        guard let url = try ServeSource.store(of: plan) else { return "none" }
        guard try HistoryStore.liesSomething(at: url) else { return "\(url.path), to be made" }
        let store = try HistoryStore(url, .reading)
        store.close()
        return url.path
    }

    private static func source(_ plan: ServePlan) throws -> String {
        guard !plan.replay.isEmpty else {
            _ = try TravelTimeMap(of: plan.travelTime, freeFlowMilesPerHour: plan.freeFlowMph)
            return plan.bridgesURL
        }
        let records = try ReplayRecords(plan.records.isEmpty ? nil : plan.records)
        let period = try records.covered(
            try ServeSource.period(plan.replay), "of \(printable(plan.replay))")
        return "replay from \(TimeText.rfc3339(period.lowerBound)) to "
            + "\(TimeText.rfc3339(period.upperBound)), \(plan.speed) times as fast"
    }
}
