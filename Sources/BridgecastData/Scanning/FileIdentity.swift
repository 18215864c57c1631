// What a file was when it was read; kept with what came of it.

/// Which file something was read from.
public struct FileIdentity: Sendable, Equatable {
    /// Where it came from.
    public let path: String
    /// SHA-256 of the file, hexadecimal, as `sha256sum` prints it.
    public let sha256: String

    /// The file name without folders.
    public var name: String { String(path.split(separator: "/").last ?? Substring(path)) }
}
