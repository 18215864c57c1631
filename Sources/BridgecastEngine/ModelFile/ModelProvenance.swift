// Where a model comes from; part of its header.
public import BridgecastCore

/// Where a model comes from; together with the records it can be made again.
public struct ModelProvenance: Sendable, Codable, Equatable {
    /// A file of records.
    public struct Source: Sendable, Codable, Equatable {
        /// File name without folders.
        public var file: String
        /// SHA-256 of the file, hexadecimal.
        public var sha256: String

        /// Creates a source.
        public init(file: String, sha256: String) {
            self.file = file
            self.sha256 = sha256
        }
    }

    /// The records it was fitted to.
    public var sources: [Source]
    /// First covered moment of the fit.
    public var fittedFrom: Timestamp
    /// End of the fit: no record from this moment on was used, exclusive.
    public var fittedBefore: Timestamp
    /// Seed of the random numbers.
    public var seed: UInt64
    /// Commit of the trainer, or "unknown".
    public var commit: String
    /// Settings of the trainer, name and value.
    public var settings: [String: String]
    /// Scores at training, name and value, such as the validation log loss.
    public var scores: [String: Double]

    /// Creates a provenance.
    public init(
        sources: [Source], fittedFrom: Timestamp, fittedBefore: Timestamp, seed: UInt64,
        commit: String, settings: [String: String], scores: [String: Double]
    ) {
        self.sources = sources
        self.fittedFrom = fittedFrom
        self.fittedBefore = fittedBefore
        self.seed = seed
        self.commit = commit
        self.settings = settings
        self.scores = scores
    }
}
