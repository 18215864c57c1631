// The files of one recipe, NAME/ORIGIN.json and NAME/ORIGIN.int8.bcm, and whether what is there is still meant.
import BridgecastCore
import BridgecastEngine
import BridgecastTraining
import Foundation

/// A recipe's folder.
struct OriginFolder {
    private let folder: OutputFolder
    private let again: Bool

    /// Makes the folder of a recipe if need be.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ options: OriginOptions) throws {
        folder = try OutputFolder(options.folder).folder(options.recipeName)
        again = options.again
    }

    /// The file of an origin's model.
    func model(_ origin: RollingOrigin) -> OutputFile { folder.file("\(origin.name).int8.bcm") }

    /// The file of an origin's scores.
    func scores(_ origin: RollingOrigin) -> OutputFile { folder.file("\(origin.name).json") }

    /// Writes scores.
    func write(_ scores: OriginScores, of origin: RollingOrigin) throws {
        try self.scores(origin).write(try json(scores, isLine: true) + "\n")
    }

    /// Whether scores of an origin are there, made as they would be made now.
    ///
    /// - Throws: ``CommandFailure`` if they were made otherwise and are to stay.
    func hasScores(of origin: RollingOrigin, making: OriginScores.Making) throws -> Bool {
        let path = scores(origin).path
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let found = try Self.read(path)
        func facts(_ days: Int, _ making: OriginScores.Making?) -> [String: String] {
            (making?.facts ?? [:]).merging(["days": "\(days)"]) { $1 }
        }
        return try isSame(path, facts(found.days, found.making), facts(origin.days, making))
    }

    /// Whether the model of an origin is there, made as it would be made now.
    ///
    /// - Throws: ``CommandFailure`` if it was made otherwise and is to stay.
    func hasModel(of origin: RollingOrigin, making: OriginScores.Making) throws -> Bool {
        let path = model(origin).path
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let found = OriginScores.Making(try ModelLoading.load(path).header)
        return try isSame(path, found.facts, making.facts)
    }

    private func isSame(
        _ path: String, _ found: [String: String], _ wanted: [String: String]
    ) throws -> Bool {
        let different = Set(found.keys).union(wanted.keys).sorted().filter {
            found[$0] != wanted[$0]
        }
        if different.isEmpty || again { return different.isEmpty }
        let words = different.map { "\($0) \(found[$0] ?? "none"), not \(wanted[$0] ?? "none")" }
        throw CommandFailure(
            .data,
            "\(path): was made otherwise: \(words.joined(separator: "; ")); "
                + "give this recipe another --recipe-name, or make it anew with --again")
    }

    /// Reads the scores of a file.
    ///
    /// - Throws: ``CommandFailure`` with the path.
    static func read(_ path: String) throws -> OriginScores {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(
                OriginScores.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch let error as DecodingError {
            throw CommandFailure(.data, "\(path): no scores of an origin: \(Self.words(error))")
        }
    }

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.map(\.stringValue).joined(separator: ".") + " is of another type"
        case .dataCorrupted(let context): context.debugDescription
        @unknown default: "\(error)"
        }
    }
}

extension OriginScores.Making {
    /// What a model file says of its making.
    init(_ header: ModelHeader) {
        self.init(header.provenance, schemaHash: header.schemaHash)
    }

    /// What was fitted, how and to what.
    init(_ provenance: ModelProvenance, schemaHash: String) {
        self.init(
            settings: provenance.settings, seed: provenance.seed,
            fittedBefore: TimeText.rfc3339(provenance.fittedBefore),
            records: provenance.sources.map(\.sha256), schemaHash: schemaHash)
    }

    /// What there is to compare, by name.
    var facts: [String: String] {
        settings.merging([
            "seed": "\(seed)", "fitted before": fittedBefore, "inputs": schemaHash,
            "records": records.joined(separator: ", "),
        ]) { $1 }
    }
}
