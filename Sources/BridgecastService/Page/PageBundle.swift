// The bundle of the page's modules and stylesheets, which tools/install_page makes for first visits over slow networks.
// It is linked only while it is made of exactly the files that are there: an edit shows without a build step.
internal import BridgecastSupport
internal import NIOCore

struct PageBundle: Equatable, Sendable {
    static let scriptPath = "vendor/bundle.js"
    static let stylesPath = "vendor/bundle.css"
    /// All files of the bundle begin so.
    private static let prefix = "vendor/bundle"
    /// The script's first line: this, the digest, and paths of the scripts that it imports at once.
    private static let mark = "// bridgecast "

    private let imports: [String]

    /// The bundle among a page's files; nil if there is none, or if it is made of other files.
    ///
    /// - Parameter files: Contents by path.
    init?(_ files: [String: ByteBuffer]) {
        guard files[Self.stylesPath] != nil, let script = files[Self.scriptPath] else { return nil }
        let firstLine = String(
            decoding: script.readableBytesView.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard firstLine.hasPrefix(Self.mark) else { return nil }
        let parts = firstLine.dropFirst(Self.mark.count).split(separator: " ").map(String.init)
        guard let digest = parts.first, digest == Self.digest(of: files) else { return nil }
        imports = Array(parts.dropFirst())
        guard imports.allSatisfy({ files[$0] != nil }) else { return nil }
    }

    /// Whether a file belongs to the bundle, or the bundle is made of it.
    static func concerns(_ path: String) -> Bool { path.hasPrefix(prefix) || isSource(path) }

    /// The digest of the files that a bundle is made of, as tools/install_page computes it: SHA-256 of paths and
    /// contents, in order of the paths.
    static func digest(of files: [String: ByteBuffer]) -> String {
        let parts = files.filter { isSource($0.key) }.sorted { $0.key < $1.key }
            .map { path, bytes in Array("\(path)\n".utf8) + Array(bytes.readableBytesView) }
        return hexadecimal(SHA256.hash(Array(parts.joined())))
    }

    private static func isSource(_ path: String) -> Bool {
        guard !path.hasPrefix(prefix) else { return false }
        return path.hasSuffix(".js") || path.hasSuffix(".css") || path == PageCache.indexPath
    }

    /// What links it in the document.
    var links: String {
        let preloads = imports.map { PageShell.preload($0) }
        let styles = "<link rel=\"stylesheet\" href=\"\(Self.stylesPath)\">"
        let script = "<script type=\"module\" src=\"\(Self.scriptPath)\"></script>"
        return ([styles] + preloads + [script]).joined(separator: "\n    ")
    }
}
