// A model with the digest of the very bytes it was read from; used by the service, which tells files apart by it.
private import BridgecastDigest
private import BridgecastCore
package import Foundation

extension ModelFile {
    /// Reads and validates a model file, and names it.
    ///
    /// - Returns: The model, and the SHA-256 of the whole file in hexadecimal.
    /// - Throws: ``ModelFileError``.
    package static func readNamed(
        _ url: URL
    ) throws(ModelFileError) -> (model: LoadedModel, digest: String) {
        let bytes = try bytes(of: url)
        var digest = SHA256()
        digest.update(bytes.span)
        return (try read(bytes), hexadecimal(digest.finish()))
    }
}
