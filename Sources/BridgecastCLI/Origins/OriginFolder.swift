// The files of one recipe, NAME/ORIGIN.json and NAME/ORIGIN.int8.bcm, and whether what is there is still meant.
import BridgecastEngine
import BridgecastTraining
import Foundation

/// A recipe's folder.
struct OriginFolder {
    private let path: String
    private let again: Bool

    /// Names the folder of a recipe; ``make(_:)`` makes it.
    init(_ options: OriginOptions) {
        path = "\(options.folder)/\(options.recipeName)"
        again = options.again
    }

    /// Keeps others from writing to the folder, before what is there is looked at; nil if it is not there.
    ///
    /// - Throws: ``CommandFailure`` if another run is writing to it.
    func lock() throws -> FolderLock? { try FolderLock(path, remedy: Self.remedy) }

    /// Makes the folder if need be; when all is checked, before work that takes long.
    ///
    /// - Parameter lock: What ``lock()`` gave.
    /// - Returns: The lock to hold as long as the folder is written to.
    /// - Throws: ``CommandFailure``, also if another run has begun with the folder since it was not there.
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

    /// Writes scores.
    func write(_ scores: OriginScores, of origin: RollingOrigin) throws {
        try self.scores(origin).write(try json(scores, isLine: true) + "\n")
    }

    /// Whether scores of an origin are there, made as they would be made now.
    ///
    /// - Throws: ``CommandFailure`` if they were made otherwise or cannot be read, and are to stay.
    func hasScores(of origin: RollingOrigin, making: OriginScores.Making) throws -> Bool {
        let file = scores(origin)
        guard let found = try found(file, by: OriginScoresFile.read) else { return false }
        func facts(_ days: Int, _ making: OriginScores.Making?) -> [String: String] {
            (making?.facts ?? [:]).merging(["days": "\(days)"]) { $1 }
        }
        return try isSame(
            file.path, facts(found.days, found.making), facts(origin.days, making))
    }

    /// The model of an origin if it is there, made as it would be made now.
    ///
    /// - Throws: ``CommandFailure`` if it was made otherwise or cannot be read, and is to stay.
    func foundModel(
        of origin: RollingOrigin, making: OriginScores.Making
    ) throws -> LoadedModel? {
        let file = model(origin)
        guard let found = try found(file, by: { try ModelLoading.load($0) }) else { return nil }
        let facts = OriginScores.Making(found.header).facts
        return try isSame(file.path, facts, making.facts) ? found : nil
    }

    /// What a file holds; nil if it is not there, or cannot be read and is to be made anew.
    private func found<Content>(
        _ file: OutputFile, by read: (String) throws -> Content
    ) throws -> Content? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try read(file.path)
        } catch {
            guard again else {
                let failure = CommandFailure(error)
                throw CommandFailure(
                    failure.code, "\(failure.message); make it anew with --again")
            }
            // Whether it can be replaced is said before the work.
            try file.check()
            return nil
        }
    }

    /// Refuses a recipe whose other origins were made otherwise: a mean over them would be of none.
    ///
    /// - Parameters:
    ///   - origins: Those that are made now, and compared one by one.
    ///   - wanted: What is the same at all origins of the recipe, as ``OriginScores/Making/recipeFacts``.
    /// - Throws: ``CommandFailure``.
    func checkOthers(than origins: [RollingOrigin], _ wanted: [String: String]) throws {
        let own = Set(origins.map { "\($0.name).json" })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names.sorted() where name.hasSuffix(".json") && !own.contains(name) {
            // What cannot be read is no score yet; `origins table` says so.
            guard let found = try? OriginScoresFile.read("\(path)/\(name)"),
                let making = found.making
            else { continue }
            let facts = making.recipeFacts.merging(["days": "\(found.days)"]) { $1 }
            let wanted = wanted.merging(["days": "\(origins.first?.days ?? found.days)"]) { $1 }
            let different = OriginScores.Making.differences(facts, wanted)
            guard different.isEmpty else {
                throw CommandFailure(
                    .data,
                    "\(path)/\(name): is of the same recipe and was made otherwise: "
                        + "\(different.joined(separator: "; ")); give this recipe another "
                        + "--recipe-name, or make all its origins anew with --again")
            }
        }
    }

    private func isSame(
        _ path: String, _ found: [String: String], _ wanted: [String: String]
    ) throws -> Bool {
        let different = OriginScores.Making.differences(found, wanted)
        if different.isEmpty || again { return different.isEmpty }
        throw CommandFailure(
            .data,
            "\(path): was made otherwise: \(different.joined(separator: "; ")); "
                + "give this recipe another --recipe-name, or make it anew with --again")
    }
}
