// The files of the page (Resources/page), in memory. What is written into its document is in PageDocument.swift.
package import BridgecastCore
package import BridgecastSupport
private import Dispatch
package import Foundation
internal import NIOCore
private import Synchronization

/// The page's files.
///
/// A client's path is only looked up among the paths that were found in the folder, so that it never becomes the name
/// of a file. Changes in the folder show within a second.
package final class PageCache: Sendable {
    /// The path of the document that `/` shows.
    package static let indexPath = "index.html"
    /// The module that the document begins with.
    static let mainPath = "main.js"

    private struct Kept {
        let url: URL
        var file: PageFile
        var checkedAt: UInt64
    }

    private struct Content {
        var files: [String: Kept] = [:]
        var walkedAt: UInt64 = 0
        var sourcesCheckedAt: UInt64 = 0
        /// Changes with every change of a file.
        var revision = 0
        var shell: (revision: Int, shell: PageShell)?
    }

    private let folder: URL
    /// A file is checked again after this time.
    private let pauseNanoseconds: UInt64
    private let content = Mutex(Content())
    private let documents = PageDocumentCache()

    /// Reads the files of a folder.
    ///
    /// - Parameter pauseSeconds: After this time a file is checked again.
    /// - Throws: ``PageProblem`` if it has no index.html, or too many files.
    package init(_ folder: URL, pauseSeconds: Double = 1) throws(PageProblem) {
        self.folder = folder
        pauseNanoseconds = UInt64(pauseSeconds * 1e9)
        let now = DispatchTime.now().uptimeNanoseconds
        let found = try PageFolder.files(in: folder)
        content.withLock { content in
            for (path, url) in found {
                content.files[path] = PageFile(path, url).map {
                    Kept(url: url, file: $0, checkedAt: now)
                }
            }
            content.walkedAt = now
        }
        guard content.withLock({ $0.files[Self.indexPath] != nil }) else {
            throw .noIndex(folder.path)
        }
    }

    package var fileCount: Int { content.withLock { $0.files.count } }

    /// The file at a path such as `core/store.js`; nil if there is none.
    ///
    /// - Parameter now: The time of a monotonic clock, nanoseconds.
    func file(_ path: String, at now: UInt64 = DispatchTime.now().uptimeNanoseconds) -> PageFile? {
        content.withLock { content in
            if content.files[path] == nil { walk(&content, now, for: path) }
            return check(&content, path, at: now)
        }
    }

    /// The text of a file at a path; nil if there is none.
    func text(_ path: String) -> String? { file(path)?.text }

    /// The page's document in a language, with the current bridges.
    func index(
        _ state: ServiceState, at now: Timestamp, in language: PageLanguage
    ) -> SharedDocument? {
        guard let shell = shell() else { return nil }
        return documents.document(of: shell, state, at: now, in: language)
    }

    /// The document before it is filled in; made again when a file has changed.
    private func shell() -> PageShell? {
        let now = DispatchTime.now().uptimeNanoseconds
        return content.withLock { content in
            checkSources(&content, at: now)
            guard let index = check(&content, Self.indexPath, at: now) else { return nil }
            if let shell = content.shell, shell.revision == content.revision { return shell.shell }
            // A bundle that was made again has files with other names.
            addNewFiles(&content, now)
            let modules = PageImports.modules(from: Self.mainPath) { content.files[$0]?.file.text }
            let bundle = PageBundle(content.files.mapValues(\.file.document.identity))
            let shell = PageShell(
                index.text, bundle, modules: modules, revision: content.revision)
            content.shell = (content.revision, shell)
            return shell
        }
    }

    /// Checks all files that the bundle is made of: while it is linked browsers ask for no other.
    private func checkSources(_ content: inout Content, at now: UInt64) {
        guard isDue(content.sourcesCheckedAt, now) else { return }
        content.sourcesCheckedAt = now
        for path in Array(content.files.keys) where PageBundle.concerns(path) {
            _ = check(&content, path, at: now)
        }
    }

    /// A file of the cache, read again if it has changed.
    private func check(_ content: inout Content, _ path: String, at now: UInt64) -> PageFile? {
        guard var kept = content.files[path] else { return nil }
        guard isDue(kept.checkedAt, now) else { return kept.file }
        kept.checkedAt = now
        if !kept.file.isStill(kept.url) {
            content.revision += 1
            guard let file = PageFile(path, kept.url) else {
                content.files[path] = nil
                return nil
            }
            kept.file = file
        }
        content.files[path] = kept
        return kept.file
    }

    /// Whether the pause after a check has passed.
    ///
    /// A request that waited for the lock may have read its clock before another one checked.
    private func isDue(_ checkedAt: UInt64, _ now: UInt64) -> Bool {
        now >= checkedAt + pauseNanoseconds
    }

    private func walk(_ content: inout Content, _ now: UInt64, for path: String) {
        guard isDue(content.walkedAt, now), PageFile.contentType(of: path) != nil else { return }
        addNewFiles(&content, now)
    }

    private func addNewFiles(_ content: inout Content, _ now: UInt64) {
        // Even a folder that cannot be read is not searched at every request.
        content.walkedAt = now
        guard let found = try? PageFolder.files(in: folder) else { return }
        for (path, url) in found where content.files[path] == nil {
            guard let file = PageFile(path, url) else { continue }
            content.files[path] = Kept(url: url, file: file, checkedAt: now)
            content.revision += 1
        }
    }
}

struct PageFile: Sendable {
    let document: SharedDocument
    let contentType: String
    private let stamp: FileStamp

    /// Maximum bytes of a file; larger ones are not served.
    static let maxBytes: UInt64 = 2 << 20

    /// Media types by file extension; other files are not served.
    private static let contentTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon", "woff2": "font/woff2",
        "woff": "font/woff", "otf": "font/otf", "ttf": "font/ttf",
    ]

    /// The media type of a file; nil for an extension that is not served.
    static func contentType(of name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return contentTypes[String(name[name.index(after: dot)...])]
    }

    /// Reads a file; nil if it may not be served.
    init?(_ path: String, _ url: URL) {
        // Before it is read: a write in between is then seen as another change.
        guard let contentType = Self.contentType(of: path), Self.isPlain(url),
            let stamp = FileStamp(url.path), let bytes = try? Data(contentsOf: url)
        else { return nil }
        self.contentType = contentType
        self.stamp = stamp
        document = SharedDocument(Array(bytes))
    }

    /// Whether the file is still the one that was read.
    func isStill(_ url: URL) -> Bool { FileStamp(url.path) == stamp && Self.isPlain(url) }

    var text: String { String(buffer: document.identity) }

    /// Whether it is a regular file, not a link, and not too large.
    private static func isPlain(_ url: URL) -> Bool {
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.path),
            found[.type] as? FileAttributeType == .typeRegular, let size = found[.size] as? NSNumber
        else { return false }
        return size.uint64Value <= maxBytes
    }
}

enum PageFolder {
    static let maxFiles = 500
    static let maxDepth = 6

    /// The files that may be served, by their paths in the folder.
    ///
    /// Hidden files, links and files of other types are left out.
    /// - Throws: ``PageProblem`` if the folder cannot be read, or has too many files.
    static func files(in folder: URL) throws(PageProblem) -> [String: URL] {
        // The folder itself may be a link; its content may not.
        let start = folder.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: start.path) else {
            throw .noIndex(folder.path)
        }
        var found: [String: URL] = [:]
        var waiting = [(url: start, prefix: "", depth: 0)]
        while let current = waiting.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: current.url.path)
            else { throw .unreadable(current.url.path) }
            for name in names where !name.hasPrefix(".") {
                let url = current.url.appendingPathComponent(name)
                // It does not follow links.
                let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
                switch type as? FileAttributeType {
                case .typeDirectory where current.depth < maxDepth:
                    waiting.append((url, current.prefix + name + "/", current.depth + 1))
                case .typeRegular where PageFile.contentType(of: name) != nil:
                    found[current.prefix + name] = url
                default: continue
                }
            }
            guard found.count <= maxFiles, waiting.count <= maxFiles else {
                throw .tooMuch(folder.path, maxFiles: maxFiles)
            }
        }
        return found
    }
}

package enum PageProblem: Failure, Equatable {
    /// It has no index.html that can be read.
    case noIndex(String)
    /// It or a folder in it cannot be read.
    case unreadable(String)
    case tooMuch(String, maxFiles: Int)

    package var kind: FailureKind {
        switch self {
        case .noIndex: .missing
        case .unreadable: .io
        case .tooMuch: .data
        }
    }

    /// The problem and its remedy, in one sentence.
    package var description: String {
        switch self {
        case .noIndex(let path):
            "\(printable(path, maxLength: 200)): there is no index.html to show: name the page's folder, or use --no-page"
        case .unreadable(let path): "\(printable(path, maxLength: 200)): the folder cannot be read"
        case .tooMuch(let path, let maxFiles):
            "\(printable(path, maxLength: 200)): more than \(maxFiles) files: this is not the folder of a page"
        }
    }
}
