// Comparison of secrets in a time that tells nothing about them; used for the administrator's token.
private import BridgecastDigest

/// Comparison without a trace in its time.
package enum ConstantTime {
    /// Whether two texts are the same.
    ///
    /// Their digests are compared, all 32 bytes always: the time depends on the lengths, which a client knows of its
    /// own text, and of ours only through the number of 64-byte blocks.
    package static func areEqual(_ first: String, _ second: String) -> Bool {
        let digests = zip(SHA256.hash(first.utf8), SHA256.hash(second.utf8))
        return digests.reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
