// The files of one recipe, NAME/ORIGIN.json and NAME/ORIGIN.int8.bcm, and whether existing ones are up to date.
import BridgecastCore
import BridgecastData
import BridgecastEngine
internal import BridgecastSupport
import BridgecastTraining
import Foundation
import Glibc

/// A recipe's folder.
struct OriginFolder {
    private let path: String
    private let overwrites: Bool

    /// The folder of a recipe; ``make(_:)`` creates it.
    init(_ options: OriginOptions) {
        path = "\(options.folder)/\(options.recipeName)"
        overwrites = options.again
    }

    /// Locks the folder against other runs, before its files are read; nil if it does not exist.
    ///
    /// - Throws: ``CommandFailure`` if another run is writing to it.
    func lock() throws -> FolderLock? { try FolderLock(path, remedy: Self.remedy) }

    /// Creates the folder if needed; after all checks, before long work.
    ///
    /// - Parameter lock: The result of ``lock()``.
    /// - Returns: The lock to hold while the folder is written to.
    /// - Throws: ``CommandFailure``, also if another run has created the folder since.
    func make(_ lock: FolderLock?) throws -> FolderLock? {
        _ = try OutputFolder(path)
        if let lock { return lock }
        let own = try self.lock()
        guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else {
            throw CommandFailure(
                .io, "\(path): another run has written to it since this one began; \(Self.remedy)")
        }
        return own
    }

    private static let remedy =
        "run again when it is done, or give this recipe another --recipe-name"

    /// The file of an origin's model.
    func model(_ origin: RollingOrigin) -> OutputFile {
        OutputFile("\(path)/\(origin.name).int8.bcm")
    }

    /// The file of an origin's scores.
    func scores(_ origin: RollingOrigin) -> OutputFile { OutputFile("\(path)/\(origin.name).json") }

    func write(_ scores: OriginScores, of origin: RollingOrigin) throws {
        try self.scores(origin).write(try json(scores, isLine: true) + "\n")
    }

    /// Whether the folder has scores of an origin, made with the same inputs.
    ///
    /// - Throws: ``CommandFailure`` if they were made with others or cannot be read, and are not to be overwritten.
    func hasScores(of origin: RollingOrigin, making: OriginScores.Making) throws -> Bool {
        let file = scores(origin)
        guard let found = try found(file, by: OriginScoresFile.read) else { return false }
        func facts(days: Int, _ making: OriginScores.Making?) -> [String: String] {
            (making?.facts ?? [:]).merging(["days": "\(days)"]) { $1 }
        }
        return try isSame(
            file.path, found: facts(days: found.days, found.making),
            wanted: facts(days: origin.days, making))
    }

    /// The model of an origin if the folder has it, made with the same inputs.
    ///
    /// - Throws: ``CommandFailure`` if it was made with others or cannot be read, and is not to be overwritten.
    func foundModel(
        of origin: RollingOrigin, making: OriginScores.Making
    ) throws -> LoadedModel? {
        let file = model(origin)
        guard let found = try found(file, by: { try ModelLoading.load($0) }) else { return nil }
        let facts = OriginScores.Making(found.header).facts
        return try isSame(file.path, found: facts, wanted: making.facts) ? found : nil
    }

    /// The content of a file; nil if it is missing, or cannot be read and is to be overwritten.
    private func found<Content>(
        _ file: OutputFile, by read: (String) throws -> Content
    ) throws -> Content? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try read(file.path)
        } catch {
            guard overwrites else {
                let failure = CommandFailure(error)
                throw CommandFailure(
                    failure.code, "\(failure.message); make it again with --again")
            }
            // Fails before the work if it cannot be replaced.
            try file.check()
            return nil
        }
    }

    /// Refuses a recipe whose other origins were made with other inputs: a mean over them would have no meaning.
    ///
    /// - Parameters:
    ///   - origins: Those that are made now, and compared one by one.
    ///   - wanted: Facts that all origins of the recipe share, as ``OriginScores/Making/recipeFacts``.
    /// - Throws: ``CommandFailure``.
    func checkOthers(than origins: [RollingOrigin], _ wanted: [String: String]) throws {
        let own = Set(origins.map { "\($0.name).json" })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names.sorted() where name.hasSuffix(".json") && !own.contains(name) {
            // Unreadable files are skipped; `origins table` reports them.
            guard let found = try? OriginScoresFile.read("\(path)/\(name)"),
                let making = found.making
            else { continue }
            let facts = making.recipeFacts.merging(["days": "\(found.days)"]) { $1 }
            let wanted = wanted.merging(["days": "\(origins.first?.days ?? found.days)"]) { $1 }
            let different = OriginScores.Making.differences(facts, from: wanted)
            guard different.isEmpty else {
                throw CommandFailure(
                    .data,
                    "\(path)/\(name): is of the same recipe and was made with other inputs: "
                        + "\(different.joined(separator: "; ")); give this recipe another "
                        + "--recipe-name, or make all its origins again with --again")
            }
        }
    }

    private func isSame(
        _ path: String, found: [String: String], wanted: [String: String]
    ) throws -> Bool {
        let different = OriginScores.Making.differences(found, from: wanted)
        if different.isEmpty || overwrites { return different.isEmpty }
        throw CommandFailure(
            .data,
            "\(path): was made with other inputs: \(different.joined(separator: "; ")); "
                + "give this recipe another --recipe-name, or make it again with --again")
    }
}

// MARK: - Files of scores

enum OriginScoresFile {
    /// Reads the scores of a file.
    ///
    /// - Throws: `DocumentError` if it cannot be read, ``CommandFailure`` if it is not a file or has no scores; both with
    ///   the path.
    static func read(_ path: String) throws -> OriginScores {
        try refuseStream(path)
        let file = try InputFile(URL(fileURLWithPath: path))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(OriginScores.self, from: Data(file.bytes))
        } catch let error as DecodingError {
            throw CommandFailure(
                .data, "\(path): no scores of an origin: \(description(of: error))")
        }
    }

    /// Refuses pipes and devices: scores are read several times.
    private static func refuseStream(_ path: String) throws {
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe stat(path, &status) == 0 else { return }
        // The reader itself refuses folders.
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw CommandFailure(.io, "\(path): is a pipe or device, not a file")
        }
    }

    private static func description(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "\(location(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(location(context.codingPath)) is of another type"
        case .dataCorrupted(let context):
            "\(location(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(error)"
        }
    }

    /// The location in the file, such as `rows[3].climatology_loss`.
    private static func location(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the whole document" }
        return path.reduce(into: "") { location, key in
            if let index = key.intValue {
                location += "[\(index)]"
            } else {
                location += (location.isEmpty ? "" : ".") + snakeCase(key.stringValue)
            }
        }
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}

// MARK: - Inputs of a fit

extension OriginScores.Making {
    /// The provenance of a model file.
    init(_ header: ModelHeader) {
        let provenance = header.provenance
        self.init(
            settings: provenance.settings, seed: provenance.seed,
            fittedBefore: TimeText.rfc3339(provenance.fittedBefore),
            records: provenance.sources.map(\.sha256), schemaHash: header.schemaHash)
    }

    /// The provenance of a model file, and the records that it is scored on.
    ///
    /// - Parameter digest: That of the openings and coverage, see `OpeningHistory.digest`.
    init(_ header: ModelHeader, scoredOn digest: String) {
        self.init(header)
        if !records.contains(digest) { records.append(digest) }
    }

    /// The settings of a recipe by name, the same at all its origins.
    var recipeFacts: [String: String] { settings.merging(["seed": "\(seed)"]) { $1 } }

    /// Everything to compare, by name.
    var facts: [String: String] {
        recipeFacts.merging([
            "fitted before": fittedBefore, "inputs": schemaHash,
            "records and coverage": records.map { String($0.prefix(12)) }.joined(separator: ", "),
        ]) { $1 }
    }

    /// Differences of facts as text; empty if they are equal.
    static func differences(_ found: [String: String], from wanted: [String: String]) -> [String] {
        Set(found.keys).union(wanted.keys).sorted().filter { found[$0] != wanted[$0] }
            .map { "\($0) \(found[$0] ?? "none"), not \(wanted[$0] ?? "none")" }
    }
}

// MARK: - Scoring

/// The prepared scoring of one origin.
struct OriginWork {
    let origin: RollingOrigin
    let making: OriginScores.Making
    private let scorer: OriginScorer

    /// - Throws: ``CommandFailure`` if the records do not cover it.
    init(
        _ origin: RollingOrigin, _ history: OpeningHistory, making: OriginScores.Making
    ) throws {
        guard let scorer = OriginScorer(origin, history: history) else {
            throw CommandFailure(
                .data,
                "\(origin.name): no covered records before \(TimeText.rfc3339(origin.fittedBefore)), or none "
                    + "in the \(origin.days) days that are scored")
        }
        self.origin = origin
        self.making = making
        self.scorer = scorer
    }

    /// Scores a model and writes the scores.
    ///
    /// - Parameter fp32: The same weights in fp32, if available.
    /// - Throws: ``CommandFailure``.
    func score(
        _ model: LoadedModel, fp32: LoadedModel?, recipe: String, to folder: OriginFolder
    ) async throws {
        guard
            let scores = await scorer.scores(of: model, recipe: recipe, making: making, fp32: fp32)
        else {
            throw CommandFailure(
                .data, "\(origin.name): no covered rows in the \(origin.days) days that are scored")
        }
        try folder.write(scores, of: origin)
        let (loss, reference) = scores.rows.reduce((0.0, 0.0)) {
            ($0.0 + $1.loss, $0.1 + $1.climatologyLoss)
        }
        try Console.print(
            "\(origin.name): skill \(fixed(1 - loss / reference, 4)), \(folder.scores(origin).path)"
        )
    }
}

extension OpeningHistory {
    /// SHA-256 of the merged openings and of where they are complete, hexadecimal; O(n).
    var digest: String {
        var digest = SHA256()
        func add(_ kind: String, _ span: Range<Timestamp>) {
            let from = span.lowerBound.secondsSinceEpoch
            let to = span.upperBound.secondsSinceEpoch
            digest.update(Array("\(kind) \(from) \(to)\n".utf8).span)
        }
        for bridge in BridgeIndex.all {
            digest.update(Array("\(BridgeCatalogue[bridge].name)\n".utf8).span)
            for period in coverage.periods[bridge.rawValue] { add("covered", period) }
            for opening in openings[bridge.rawValue] {
                add("opening", opening.start..<(opening.end ?? .latest))
                for seam in opening.seams { add("seam", seam) }
            }
        }
        return hexadecimal(digest.finish())
    }
}
