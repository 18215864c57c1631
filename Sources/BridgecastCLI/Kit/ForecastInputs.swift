// The model and the records of a forecast: those that the user named, or the shipped ones.
import BridgecastAnswers
import BridgecastCore
import BridgecastData
package import BridgecastEngine
import BridgecastRoads
import BridgecastStore
package import Foundation

extension ForecastContext {
    /// The knowledge about a departure at an issue time.
    ///
    /// - Throws: ``CommandFailure``, ``RankingError``.
    init(
        departure: Timestamp, issueTime: Timestamp, askedAt now: Timestamp, model: LoadedModel,
        source: SituationSource, traffic: TrafficDensity
    ) throws {
        guard departure >= .earliestPlausible else {
            throw CommandFailure(
                .usage, "the departure is before 2001; there are no records of that time")
        }
        var known = source.situation(at: issueTime)
        known.notes += source.warnings(of: model.header, at: issueTime)
        try self.init(
            leaving: departure, known: known, traffic: traffic,
            model: model, by: TrafficInference(model),
            sources: source.statuses(at: issueTime), askedAt: now)
    }
}

// MARK: - Models

/// Loads model files.
package enum ModelLoading {
    /// Loads the named model, or the shipped one.
    static func load(_ path: String?) throws -> LoadedModel {
        try load(path.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.defaultModel())
    }

    /// Loads a model.
    package static func load(_ url: URL) throws -> LoadedModel {
        try load(url) { (url) throws(ModelFileError) in try ModelFile.read(url) }
    }

    /// Loads a model with the SHA-256 of the bytes that it was read from.
    package static func loadNamed(_ url: URL) throws -> (model: LoadedModel, digest: String) {
        try load(url) { (url) throws(ModelFileError) in try ModelFile.readNamed(url) }
    }

    private static func load<Loaded>(
        _ url: URL, by read: (URL) throws(ModelFileError) -> Loaded
    ) throws -> Loaded {
        if InstructionSet.preferred == .scalar {
            remark(["no SIMD kernels in use, forecasts run on OpenBLAS and plain C"])
        }
        do {
            return try read(url)
        } catch .unreadable(_, isMissing: true) {
            throw CommandFailure(.missingInput, "\(url.path): there is no such file")
        } catch .unreadable(let reason, _) {
            // It begins with the path.
            throw CommandFailure(.io, reason)
        } catch {
            throw CommandFailure(error, of: url.path)
        }
    }
}

// MARK: - Records and live states

/// The records and live states that give the situation at issue time.
struct SituationSource {
    private let history: OpeningHistory
    private let live: LiveSnapshot?
    /// Which records, for messages.
    let name: String

    /// Reads the store (the named one, or the user's if it exists), completed by the shipped records where it
    /// does not cover a bridge, and the live file.
    ///
    /// Without a live file, the states that `watch` stored in the last minutes are used.
    init(_ store: StoreOptions, _ liveFile: String?, at now: Timestamp) throws {
        let stated = try liveFile.map { try LiveFile.read(URL(fileURLWithPath: $0)) }
        guard let opened = try store.existingIfAny() else {
            live = stated
            history = try LoadedRecords.shipped().history
            name = "the shipped ones"
            return
        }
        defer { opened.close() }
        history = try LoadedRecords.completing(try opened.history())
        name =
            "those of \(opened.path)" + (ShippedFiles.home() == nil ? "" : " and the shipped ones")
        live =
            try stated
            ?? opened.resumedTracker(at: now, within: Int64(LiveSnapshot.stalenessMinutes * 60))
            .snapshot
    }

    /// The situation at a time, with notes on what is missing.
    func situation(at issueTime: Timestamp) -> (situation: Situation, notes: [String]) {
        var notes: [String] = []
        var situation = SituationReader(history).situation(at: issueTime)
        if let live {
            if live.isFresh(at: issueTime) {
                situation = situation.applying(live)
            } else {
                notes.append(
                    "the live states are of \(live.asOf.map(TimeText.rfc3339) ?? "?"), more than "
                        + "\(Int(LiveSnapshot.stalenessMinutes)) minutes before the issue time or after it: they are not used"
                )
            }
        }
        if situation.bridges.allSatisfy({ $0.state == .unknown }) {
            notes.append(
                "no bridge's state is known at \(TimeText.rfc3339(issueTime)): the records "
                    + "(\(name)) \(newestText(before: issueTime)). The forecast is climatology; "
                    + "run watch or give --live, and sync newer records")
        }
        return (situation, notes)
    }

    /// Warns of a time whose records the model was fitted to.
    func warnings(of model: ModelHeader, at time: Timestamp) -> [String] {
        let isCovered = BridgeIndex.all.contains { history.coverage.contains(time, of: $0) }
        guard isCovered else { return [] }
        return RecordsWarnings.warnings(of: "day", isCovered: true, forecast: (model, time))
    }

    /// The status of the records and of the live states at a time.
    func statuses(at time: Timestamp) -> [SourceStatus] {
        let records = SourceStatus(records: history, at: time)
        guard let live else { return [records] }
        return [
            records,
            SourceStatus(
                id: "live", fetchedAt: live.asOf,
                ageSeconds: live.asOf.map { time.minutes(since: $0) * 60 },
                isStale: !live.isFresh(at: time), problem: nil),
        ]
    }

    private func newest(before time: Timestamp) -> Timestamp? {
        BridgeIndex.all.compactMap { history.coverage.end(of: $0, before: time) }.max()
    }

    private func newestText(before time: Timestamp) -> String {
        guard let newest = newest(before: time).map(TimeText.rfc3339) else {
            return "hold nothing before that"
        }
        let continues = history.coverage.periods.contains { $0.contains { $0.lowerBound > time } }
        return continues ? "have a gap there, from \(newest) on" : "end \(newest)"
    }
}

// MARK: - Shipped files

/// Files of the checkout this program was built from.
package enum ShippedFiles {
    /// The default model.
    package static func defaultModel() throws -> URL { try file("models/bridgecast.int8.bcm") }

    /// The model in every number format; fp32 is shipped only with the validated ones.
    static func models() throws -> [(WeightFormat, URL)] {
        try WeightFormat.allCases.map { format in
            let folder = format == .fp32 ? "models/validation/" : "models/"
            return (format, try file("\(folder)bridgecast.\(format.rawValue).bcm"))
        }
    }

    /// Seattle's roads.
    static func roads() throws -> RoadNetwork { try RoadNetwork(contentsOf: try roadsFile()) }

    /// The file of Seattle's roads.
    package static func roadsFile() throws -> URL { try file("models/roads/seattle.roads") }

    /// The bus lines over Montlake Bridge in the winter of 2017-18.
    package static func timetable() throws -> URL {
        try file("models/transit/sound-transit-montlake.zip")
    }

    /// A made day of buses on that timetable.
    package static func recording() throws -> URL {
        try file("models/transit/sound-transit-montlake-2018-01-04.pb.gz")
    }

    /// The shipped opening records.
    static func records() throws -> [URL] {
        [
            try file("training-data/openings-2015-2017.csv"),
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
        guard var folder = program?.deletingLastPathComponent() else { return nil }
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.path + "/training-data/coverage.json")
            {
                return folder
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    /// The file of this program.
    package static var program: URL? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
            URL(fileURLWithPath: $0)
        }
    }

    /// The bytes of a document of the checkout; nil if it is missing.
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
