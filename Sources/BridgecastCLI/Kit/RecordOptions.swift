// Options for records, stores and periods.
import ArgumentParser
package import BridgecastCore
import BridgecastData
package import BridgecastStore
package import Foundation

/// `--records`, `--coverage`, `--merge-gap`.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "Opening records, CSV or JSON, or a history store; may be repeated. Default: the shipped records."
    )
    var records: [String] = []

    @Option(
        name: .long,
        help:
            "Coverage statement (JSON), in place of any other; may be repeated. Default: that of the shipped records or of the store, or inferred."
    )
    var coverage: [String] = []

    @OptionGroup var merging: MergeOptions

    /// Reads the records, and notes what is unusable or inferred.
    ///
    /// - Parameter cutoff: If given, and the named records cover less than a week before it, the
    ///   shipped records of earlier time are added.
    func load(before cutoff: Timestamp? = nil) throws -> LoadedRecords {
        let loaded = try read(before: cutoff)
        remark(loaded.notes)
        return loaded
    }

    private func read(before cutoff: Timestamp?) throws -> LoadedRecords {
        let gap = merging.gapSeconds
        guard !records.isEmpty else {
            return try .shipped(coverage: coverageURLs, gapSeconds: gap)
        }
        let sources = try records.map {
            try RecordSource($0, gapSeconds: gap)
        }
        let own = LoadedRecords(
            sources, stated: try coverageURLs.map(CoverageFile.read), gapSeconds: gap)
        guard let cutoff else { return own }
        let past = Timestamp.earliest..<cutoff
        guard Self.coversLessThanAWeek(own.history.coverage.clamped(to: past)) else { return own }
        let early = try CoverageFile.read(ShippedFiles.coverage()).clamped(to: past)
        return LoadedRecords(
            sources + (try LoadedRecords.shippedSources()),
            stated: [own.history.coverage.union(early)], gapSeconds: gap,
            decisions: own.decisions + [
                "the named files cover less than a week before \(TimeText.rfc3339(cutoff)): "
                    + "the shipped records are added for that time"
            ])
    }

    private static func coversLessThanAWeek(_ coverage: Coverage) -> Bool {
        BridgeIndex.all.allSatisfy { coverage.minutes(of: $0) < 7 * 1440 }
    }

    private var coverageURLs: [URL] { coverage.map { URL(fileURLWithPath: $0) } }
}

// MARK: - Store

/// `--store`, by default the user's store.
package struct StoreOptions: ParsableArguments {
    @Option(
        name: [.customLong("store"), .customLong("history")],
        help:
            "The history store: a file, or the URL of a PostgreSQL database. Default: $XDG_DATA_HOME/bridgecast/history.sqlite."
    )
    var store: String?

    @Option(
        name: .customLong("store-password-file"),
        help:
            "A file whose first line is the password of that database. Default: PGPASSWORD or PGPASSFILE."
    )
    var passwordFile: String?

    package init() {}

    package func validate() throws {
        guard passwordFile == nil || store.map(DatabaseAddress.isAddress) ?? false else {
            throw ValidationError("--store-password-file needs a --store postgres://...")
        }
    }

    /// Whether a store is named.
    package var isNamed: Bool { store != nil }

    /// The location of the store.
    ///
    /// - Throws: ``CommandFailure`` if none is named and the environment has no home for one, or ``DatabaseAddressError``.
    package func location() throws -> StoreLocation {
        guard let store else { return .file(try Self.userURL()) }
        return try StoreLocation(store, passwordFile: passwordFile)
    }

    /// The file next to which archive and diagnostics are: the store's, or for one in a database the user's.
    ///
    /// - Throws: As ``location()``.
    package func neighbour() throws -> URL { try location().neighbour() }

    /// The URL of the user's store.
    ///
    /// - Throws: ``CommandFailure`` if the environment has no home for one.
    package static func userURL() throws -> URL {
        try UserFile.url(nil, default: defaultURL, "for the store: name one with --store")
    }

    private static var defaultURL: URL? {
        HistoryStore.defaultURL(environment: Console.current.environment)
    }

    /// The named store, or the user's; nil if none is named and the user has none.
    func existingIfAny() throws -> HistoryStore? {
        guard store == nil else { return try existing() }
        guard let url = Self.defaultURL, HistoryStore.isThere(url) else { return nil }
        return try HistoryStore(url, .reading)
    }

    /// The store, which must exist.
    func existing(_ access: HistoryStore.Access = .reading) throws -> HistoryStore {
        let location = try location()
        guard case .file(let url) = location else {
            // Writing would create it.
            let store = try HistoryStore.open(location, .reading)
            guard access == .writing else { return store }
            store.close()
            return try HistoryStore.open(location, .writing)
        }
        guard try HistoryStore.fileExists(at: url) else {
            throw CommandFailure(
                .missingInput,
                "\(url.path): there is no such store; `bridgecast sync` or `ingest` creates one")
        }
        guard HistoryStore.isThere(url) else { return try HistoryStore(url, .reading) }
        return try HistoryStore(url, access)
    }
}

extension StoreLocation {
    /// The value of an option, with the password of a database.
    ///
    /// - Throws: ``DatabaseAddressError``.
    package init(_ text: String, passwordFile: String?) throws(DatabaseAddressError) {
        self = try StoreLocation(text)
        guard let passwordFile else { return }
        change { $0.passwordFile = URL(fileURLWithPath: passwordFile) }
    }

    /// Changes the address of a database; nothing for a file.
    package mutating func change(_ body: (inout DatabaseAddress) -> Void) {
        guard case .database(var address) = self else { return }
        body(&address)
        self = .database(address)
    }

    /// The file next to which archive and diagnostics are: the store's, or for one in a database the user's.
    ///
    /// - Throws: ``CommandFailure`` if the environment has no home for that.
    package func neighbour() throws -> URL {
        guard case .file(let url) = self else { return try StoreOptions.userURL() }
        return url
    }
}

/// `--merge-gap`.
struct MergeOptions: ParsableArguments {
    @Option(name: .long, help: "Openings of a bridge at most this many minutes apart are one.")
    var mergeGap = Double(OpeningConsolidation.defaultGapSeconds) / 60

    mutating func validate() throws {
        guard mergeGap >= 0, mergeGap <= 60 else {
            throw ValidationError("--merge-gap must be 0 to 60 minutes")
        }
    }

    /// The gap in seconds.
    var gapSeconds: Int64 { Int64((mergeGap * 60).rounded()) }

    /// For the provenance of models; empty for the default.
    var namedSettings: [String: String] {
        gapSeconds == OpeningConsolidation.defaultGapSeconds
            ? [:] : ["mergeGapSeconds": "\(gapSeconds)"]
    }
}

// MARK: - Period

/// `--from` and `--to`: the days to evaluate or export, by default those of the validation.
struct PeriodOptions: ParsableArguments {
    static let defaultFrom = "2026-02-15"
    static let defaultTo = "2026-02-28"

    @Option(name: .long, help: "First day (Seattle), or a time.")
    var from = PeriodOptions.defaultFrom

    @Option(name: .long, help: "Last day (Seattle, the whole of it), or an exclusive time.")
    var to = PeriodOptions.defaultTo

    /// The period; its end must be after its start.
    func interval() throws -> Range<Timestamp> {
        try PeriodText.interval(from: from, to: to)
    }
}

/// Reads the ends of a period.
package enum PeriodText {
    /// The start of a period: a date is its midnight.
    package static func start(_ text: String) throws -> Timestamp {
        if let date = TimeText.parseDate(text) { return SeattleTime.startOfDay(date) }
        return try TimeText.parse(text)
    }

    /// A period; its end must be after its start.
    package static func interval(from: String, to: String) throws -> Range<Timestamp> {
        let start = try start(from)
        let end = try end(to)
        guard start < end else { throw CommandFailure(.usage, "--to is before --from") }
        return start..<end
    }

    /// The end of a period, exclusive: a date is the end of that day.
    package static func end(_ text: String) throws -> Timestamp {
        if let date = TimeText.parseDate(text) {
            return SeattleTime.startOfDay(date.adding(days: 1))
        }
        return try TimeText.parse(text)
    }
}

/// Checks a name: letters, digits, `-`, `_` and `.`, but not first, because such files are hidden.
///
/// - Parameter option: For the message.
/// - Throws: `ValidationError`.
func checkFileName(_ name: String, of option: String) throws {
    guard !name.isEmpty, !name.hasPrefix("."),
        name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
    else { throw ValidationError("\(option): letters, digits, - _ and . (not first)") }
}

/// A file or folder that an option names, by default one of the user's own.
enum UserFile {
    /// - Parameters:
    ///   - path: The option's value; nil for the default.
    ///   - url: The default; nil where the environment has no home for one.
    ///   - purpose: What the folder is for and how to name another, to follow "there is no folder".
    /// - Throws: ``CommandFailure`` where there is neither.
    static func url(
        _ path: String?, default url: @autoclosure () -> URL?, _ purpose: String
    ) throws -> URL {
        if let path {
            guard !path.isEmpty else {
                throw CommandFailure(.usage, "an empty path names no file \(purpose)")
            }
            return URL(fileURLWithPath: path)
        }
        if let url = url() { return url }
        throw CommandFailure(
            .usage, "HOME is not an absolute path, so there is no folder \(purpose)")
    }
}
