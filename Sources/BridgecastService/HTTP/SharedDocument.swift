// A document that many requests share: encoded, packed and named once; made by boards and at the start.
internal import BridgecastCore
internal import BridgecastDigest
package import NIOCore

/// Bytes with their packed form and their name.
package struct SharedDocument: Sendable {
    /// The bytes.
    package let identity: ByteBuffer
    /// The same packed by gzip; nil where that saves too little.
    package let packed: ByteBuffer?
    /// A strong ETag of the bytes, with its quotes.
    package let tag: String
    /// The one of the packed form, which is other bytes.
    package let packedTag: String

    /// Packs and names bytes.
    package init(_ bytes: [UInt8]) {
        identity = ByteBuffer(bytes: bytes)
        packed = Gzip.packed(bytes).map { ByteBuffer(bytes: $0) }
        let digest = hexadecimal(SHA256.hash(bytes).prefix(12))
        (tag, packedTag) = ("\"\(digest)\"", "\"\(digest)-gzip\"")
    }
}
