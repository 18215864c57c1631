// What a training was made of and what came out: the record by which it can be repeated and checked.
import BridgecastEngine
import BridgecastTraining

/// `NAME.manifest.json`.
struct TrainingManifest: Encodable {
    /// A file that was written.
    struct File: Encodable {
        let name: String
        let bytes: Int
        let sha256: String
        /// Digest of the weights and tables alone: equal whenever a training is repeated, whatever
        /// the commit and date in the header.
        let weightsSHA256: String
    }

    let name: String
    let provenance: ModelProvenance
    /// OpenBLAS's name for the CPU: on others sums are taken in another order, and the weights differ.
    let blasCore = BLAS.coreName
    private(set) var files: [File] = []

    init(name: String, _ provenance: ModelProvenance) {
        (self.name, self.provenance) = (name, provenance)
    }

    /// Adds a model file.
    mutating func add(_ name: String, _ bytes: [UInt8]) {
        files.append(
            File(
                name: name, bytes: bytes.count, sha256: ModelFile.digest(of: bytes),
                weightsSHA256: ModelFile.weightsDigest(of: bytes)))
    }

    /// Writes the manifest.
    func write(to file: OutputFile) throws {
        try file.write(try json(self) + "\n")
    }
}
