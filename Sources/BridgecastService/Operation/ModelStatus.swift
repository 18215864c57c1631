// What became of the model's file since the service began; shown by readiness and administration.
package import BridgecastCore

/// How the model in use stands.
package struct ModelStatus: Sendable, Equatable {
    /// A file that was not taken over.
    package struct Refusal: Sendable, Equatable {
        /// What is wrong with it; no path stands in it.
        package let reason: String
        /// When it was refused.
        package let at: Timestamp
    }

    /// SHA-256 of the file of the model in use; nil if it came from none.
    package var digest: String?
    /// When the model in use was taken over.
    package var loadedAt: Timestamp
    /// How often a file was taken over after the start.
    package var reloads = 0
    /// How often one was refused.
    package var refusals = 0
    /// The refusal that still stands: the file at the model's place is not the one in use.
    package var refusal: Refusal?
}
