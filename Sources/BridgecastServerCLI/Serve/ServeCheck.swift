// `serve --check`: what a service would read, read without starting it.
import BridgecastAlerts
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastFeeds
import BridgecastJourneys
import BridgecastLive
import BridgecastRoads
import BridgecastService
import BridgecastStore
internal import BridgecastSupport
import Foundation

/// `--check`: reads the files of a plan and checks its addresses; nothing is written, and nothing is listened on.
enum ServeCheck {
    /// A line for each file or address.
    ///
    /// - Throws: ``CommandFailure``, or an error of the file that says what is wrong with it.
    static func lines(_ plan: ServePlan) throws -> [String] {
        let inputs = try ServeInputs(plan)
        let replay = try ServeSource.replay(of: plan)
        let header = inputs.model.header
        let network = inputs.network.map { "\($0.name), \($0.places.count) places" }
        return [
            "model: \(header.name) (\(header.weightFormat.rawValue)) of \(inputs.modelURL.path)",
            "network: \(network ?? "none")",
            "store: \(try store(plan))",
            "archive: \(try archive(plan))",
            "source: \(try source(plan, replay))",
            "people: \(try people(plan))",
            "alerts: \(try alerts(plan))",
            "features: \(try plan.features.map { try FeatureRollout(of: $0).text } ?? "all on")",
            "skill: \(inputs.skill == nil ? "none" : "present")",
            "transit: \(try ServeTransit.description(plan, replaying: replay?.period))",
            "page: \(inputs.page.map { "index.html and \($0.fileCount - 1) more files" } ?? "none")",
            "administration: \(inputs.settings.adminToken == nil ? "none" : "127.0.0.1:\(plan.adminPort)")",
            "everything is in order",
        ]
    }

    private static func store(_ plan: ServePlan) throws -> String {
        guard let location = try ServeSource.store(of: plan) else { return "none" }
        if case .file(let url) = location, try !HistoryStore.fileExists(at: url) {
            return "\(url.path), to be created"
        }
        do {
            try HistoryStore.open(location, .reading).close()
        } catch let error as HistoryStoreError where error.problem == .empty {
            guard case .database = location else { throw error }
            return "\(location.text), to be created"
        }
        return location.text
    }

    private static func archive(_ plan: ServePlan) throws -> String {
        guard let url = try ServeSource.archive(of: plan) else { return "none" }
        guard try HistoryStore.fileExists(at: url) else { return "\(url.path), to be created" }
        try ForecastArchive.check(url, for: plan.archiveKind)
        return url.path
    }

    private static func people(_ plan: ServePlan) throws -> String {
        guard let people = try ServePeople.store(of: plan) else { return "none" }
        defer { people.close() }
        let count = try people.people().count
        let isEncrypted = plan.peopleKey != nil
        return "\(people.folderPath), people: \(count), journals: \(try people.readJournals())"
            + (isEncrypted ? ", encrypted" : "")
    }

    private static func alerts(_ plan: ServePlan) throws -> String {
        guard let url = try ServeAlerts.url(of: plan) else { return "none" }
        // Of rules about reminders of the user's own journal.
        try OwnJournal.checkKey()
        guard AlertStore.isThere(url) else { return "\(url.path), once it is there" }
        try AlertStore.checkWritable(url)
        do throws(AlertStoreError) {
            let store = try AlertStore(url, .reading)
            defer { store.close() }
            return "\(url.path), rules: \(try store.rules().count)"
        } catch {
            guard error.problem == .file(.outdated) else { throw error }
            return "\(url.path), to be updated"
        }
    }

    private static func source(_ plan: ServePlan, _ replay: ServeReplay?) throws -> String {
        guard let period = replay?.period else {
            _ = try TravelTimeMap(of: plan.travelTime, freeFlowMilesPerHour: plan.freeFlowMph)
            return plan.bridgesURL
        }
        return "replay from \(TimeText.rfc3339(period.lowerBound)) to "
            + "\(TimeText.rfc3339(period.upperBound)), \(plan.speed) times as fast"
    }
}

/// The people of a plan.
enum ServePeople {
    /// The people who have journals; nil if there are none.
    ///
    /// - Throws: Also if a journal is not encrypted as the settings say, which a request would find out too late.
    static func store(of plan: ServePlan) throws -> PeopleStore? {
        guard let folder = plan.people else { return nil }
        let key = try plan.peopleKey.map { try StoreKey(contentsOf: URL(fileURLWithPath: $0)) }
        let people = try PeopleStore(URL(fileURLWithPath: folder), .reading, journalKey: key)
        try people.checkJournals()
        return people
    }
}
