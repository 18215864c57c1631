// One file of the page: its bytes and its media type; read by PageShelf.
internal import Foundation
internal import NIOCore

/// A file as it was read.
struct PageFile: Sendable {
    /// What is sent.
    let document: SharedDocument
    /// The value of Content-Type.
    let contentType: String
    private let identity: FileIdentity

    /// Bytes of a file; larger ones are not shown.
    static let mostBytes: UInt64 = 2 << 20

    /// Media types by the ends of names; nothing else is shown.
    private static let contentTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "woff2": "font/woff2", "woff": "font/woff", "otf": "font/otf", "ttf": "font/ttf",
    ]

    /// The media type of a file of that name; nil if it is none that a page has.
    static func contentType(of name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return contentTypes[String(name[name.index(after: dot)...])]
    }

    /// Reads a file; nil if there is none that may be shown.
    init?(_ path: String, _ url: URL) {
        // Before it is read: what is written meanwhile is then seen as another change.
        guard let contentType = Self.contentType(of: path), Self.isPlain(url),
            let identity = FileIdentity(url.path), let bytes = try? Data(contentsOf: url)
        else { return nil }
        (self.contentType, self.identity) = (contentType, identity)
        document = SharedDocument(Array(bytes))
    }

    /// Whether the file is still the one that was read.
    func isStill(_ url: URL) -> Bool { FileIdentity(url.path) == identity && Self.isPlain(url) }

    /// Its bytes as text.
    var text: String { String(buffer: document.identity) }

    /// Whether it is a file, and no link to one, of a size that a page's files have.
    private static func isPlain(_ url: URL) -> Bool {
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.path),
            found[.type] as? FileAttributeType == .typeRegular, let size = found[.size] as? NSNumber
        else { return false }
        return size.uint64Value <= mostBytes
    }
}
