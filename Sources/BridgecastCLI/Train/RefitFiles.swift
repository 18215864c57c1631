// The files of a model that `refit` replaces: how the model in use is read, and how all of them are replaced or none.
import BridgecastCore
import BridgecastEngine
import BridgecastSupport
import BridgecastTraining
import Foundation
import Glibc

/// A fitted model as its file in int8 and its manifest.
struct RefitModel {
    let bytes: [UInt8]
    let manifest: TrainingManifest
}

extension RefitModel {
    init(
        _ name: String, _ model: TrainedModel, of plan: TrainingPlan,
        sources: [ModelProvenance.Source]
    ) {
        let provenance = plan.provenance(of: model, sources: sources)
        let draft = ModelDraft(
            name: name, layers: model.layers, normalisation: model.normalisation,
            climatology: model.climatology, provenance: provenance)
        let bytes = ModelFile.bytes(of: draft, as: .int8, calibration: model.calibration)
        self.init(name, bytes, provenance)
    }

    /// - Parameter bytes: The model's file, whose header has the same provenance.
    init(_ name: String, _ bytes: [UInt8], _ provenance: ModelProvenance) {
        var manifest = TrainingManifest(name: name, provenance)
        manifest.add(name + RefitFiles.suffix, bytes)
        self.init(bytes: bytes, manifest: manifest)
    }
}

/// The files of the model in use: NAME.int8.bcm, NAME.manifest.json, and the same in "validation".
///
/// They are replaced all or not at all, even if the process is killed:
///
/// 1. The four new files are written and synchronised in the folder `.NAME.refit`.
/// 2. That folder is renamed to `.NAME.refit-complete`. This one rename decides.
/// 3. The files are moved out of it to their places: the validation model, its manifest, the manifest, the model.
/// 4. The empty folder is removed.
///
/// A process that ends before step 2 has changed nothing; what it wrote is removed by the next replacement.
/// After a process that ends later, the next one repeats steps 3 and 4 for the files that are left, before it reads any
/// (``init(_:rename:)``). So a refit never compares with a validation model of another fit, and no manifest describes
/// another model. A service reads the model's file alone, which one rename replaces: it has the old model until then.
package struct RefitFiles {
    /// Moves a file or folder to a path on the same file system, and replaces what is there.
    typealias Rename = (_ from: String, _ to: String) throws -> Void

    static let suffix = ".int8.bcm"
    /// What the name of a model's file must be, for messages.
    package static let pattern =
        "NAME\(suffix) (NAME: letters, digits, - _ and . but not first)"

    /// The model's file.
    let path: String
    let name: String
    private let folder: OutputFolder
    private let lock: FolderLock?
    private let rename: Rename

    /// NAME, if the last part of a path is such a file's; otherwise nil.
    package static func name(ofModel path: String) -> String? {
        let file = URL(fileURLWithPath: path).lastPathComponent
        let name = String(file.dropLast(suffix.count))
        guard file.hasSuffix(suffix), (try? checkFileName(name, of: path)) != nil else {
            return nil
        }
        return name
    }

    /// Creates the folder if needed, locks it, and completes a replacement that was interrupted.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written, or another refit runs.
    init(_ path: String, rename: @escaping Rename = RefitFiles.rename) throws {
        self.path = path
        self.rename = rename
        let url = URL(fileURLWithPath: path)
        name = String(url.lastPathComponent.dropLast(Self.suffix.count))
        folder = try OutputFolder(url.deletingLastPathComponent().path)
        lock = try FolderLock(folder.path, remedy: "wait for its end")
        try completeReplacement()
    }

    // MARK: The model in use

    /// The model in use; if it was fitted to some of a period, its validation model, if that was not.
    ///
    /// - Throws: ``CommandFailure`` if there is neither.
    func modelInUse(notFittedTo period: Range<Timestamp>) throws -> LoadedModel {
        let isThere = FileManager.default.fileExists(atPath: path)
        let inUse = isThere ? URL(fileURLWithPath: path) : try ShippedFiles.defaultModel()
        let model = try ModelLoading.load(inUse)
        func isFair(_ model: LoadedModel) -> Bool {
            model.header.provenance.fittedBefore <= period.lowerBound
        }
        if isFair(model) { return model }
        let other = inUse.deletingLastPathComponent()
            .appendingPathComponent("validation/\(inUse.lastPathComponent)")
        if FileManager.default.fileExists(atPath: other.path) {
            let validated = try ModelLoading.load(other)
            if isFair(validated), Self.isValidation(validated, of: model) { return validated }
        }
        throw CommandFailure(
            .data,
            "\(inUse.path): was fitted to days that it would be scored on, and validation/ has no model of the same "
                + "training that was not: sync newer records, or compare fewer --days")
    }

    /// Whether two models are of one training, which a file that was copied over another is not.
    private static func isValidation(_ validated: LoadedModel, of model: LoadedModel) -> Bool {
        let own = validated.header.provenance
        let other = model.header.provenance
        return own.sources == other.sources && own.settings == other.settings
            && own.seed == other.seed && own.fittedBefore <= other.fittedBefore
    }

    // MARK: Replacing it

    private var manifestName: String { "\(name).manifest.json" }
    private var staging: String { ".\(name).refit" }
    private var completed: String { "\(folder.path)/.\(name).refit-complete" }

    /// Replaces the model in use, its validation model and the manifests of both, or none of them.
    ///
    /// - Throws: ``CommandFailure``. The model in use is the old one; the next ``init(_:rename:)`` completes the
    ///   replacement if all new files were written.
    func replace(with model: RefitModel, validated: RefitModel) throws {
        let staged = "\(folder.path)/\(staging)"
        _ = try folder.folder("validation")
        do {
            // That of a process which was killed.
            try? FileManager.default.removeItem(atPath: staged)
            let staging = try folder.folder(staging)
            try stage(validated, in: try staging.folder("validation"))
            try stage(model, in: staging)
            try rename(staged, completed)
        } catch {
            try? FileManager.default.removeItem(atPath: staged)
            throw error
        }
        try completeReplacement()
    }

    private func stage(_ model: RefitModel, in staging: OutputFolder) throws {
        try staging.file(name + Self.suffix).write(Data(model.bytes))
        try model.manifest.write(to: staging.file(manifestName))
    }

    /// Moves the files of a completed folder to their places, those that are still in it; without one does nothing.
    private func completeReplacement() throws {
        guard FileManager.default.fileExists(atPath: completed) else { return }
        let model = name + Self.suffix
        for file in ["validation/\(model)", "validation/\(manifestName)", manifestName, model]
        where FileManager.default.fileExists(atPath: "\(completed)/\(file)") {
            try rename("\(completed)/\(file)", "\(folder.path)/\(file)")
        }
        try? FileManager.default.removeItem(atPath: completed)
    }

    /// - Throws: ``CommandFailure`` with the system's reason.
    private static func rename(_ from: String, _ to: String) throws {
        guard unsafe Glibc.rename(from, to) == 0 else {
            throw CommandFailure(.io, "\(to): cannot be replaced: \(systemReason(POSIXError.last))")
        }
    }
}
