// The files of the page as they were read, kept and found by their paths; used by the endpoint of the page.
// Belongs here: the page that `/` shows: its files, what the service writes into it, its head; not: the page itself
// (Resources/page), or documents of the API (BridgecastAnswers).
internal import BridgecastCore
private import Dispatch
package import Foundation
private import Synchronization

/// The page's files.
///
/// A client's path is only looked up among the paths that were found by walking the folder, so it never becomes the
/// name of a file. What is changed in the folder shows within a second.
package final class PageShelf: Sendable {
    /// The path of the document that `/` shows.
    package static let indexPath = "index.html"
    /// The module that the document begins with.
    static let mainPath = "main.js"

    /// What is kept of a file.
    private struct Kept {
        let url: URL
        var file: PageFile
        var lookedAt: UInt64
    }

    private struct Content {
        var files: [String: Kept] = [:]
        var walkedAt: UInt64 = 0
        /// Another number with every change of a file.
        var revision = 0
        var shell: (revision: Int, shell: PageShell)?
    }

    private let folder: URL
    /// A file is looked at again after so long.
    private let pauseNanoseconds: UInt64
    private let content = Mutex(Content())
    private let fillings = PageFillings()

    /// Reads the files of a folder.
    ///
    /// - Parameter pauseSeconds: After so long a file is looked at again.
    /// - Throws: ``PageProblem`` if it has no index.html, or more than a page has.
    package init(_ folder: URL, pauseSeconds: Double = 1) throws(PageProblem) {
        self.folder = folder
        pauseNanoseconds = UInt64(pauseSeconds * 1e9)
        let now = DispatchTime.now().uptimeNanoseconds
        let found = try PageFolder.files(in: folder)
        content.withLock { content in
            for (path, url) in found {
                content.files[path] = PageFile(path, url).map {
                    Kept(url: url, file: $0, lookedAt: now)
                }
            }
            content.walkedAt = now
        }
        guard content.withLock({ $0.files[Self.indexPath] != nil }) else {
            throw .noIndex(folder.path)
        }
    }

    /// How many files there are.
    package var fileCount: Int { content.withLock { $0.files.count } }

    /// The file at a path such as `core/store.js`; nil if there is none.
    ///
    /// - Parameter now: The time of a clock that never goes back, nanoseconds.
    func file(
        _ path: String, at now: UInt64 = DispatchTime.now().uptimeNanoseconds
    ) -> PageFile? {
        content.withLock { content in
            if content.files[path] == nil { walk(&content, now, for: path) }
            return look(&content, path, now)
        }
    }

    /// The page's document in a language, with the bridges as they are.
    func index(
        _ state: ServiceState, at now: Timestamp, in language: PageLanguage
    )
        -> SharedDocument?
    {
        guard let shell = shell() else { return nil }
        return fillings.document(of: shell, state, at: now, in: language)
    }

    /// The document before it is filled in; made again when a file has changed.
    private func shell() -> PageShell? {
        let now = DispatchTime.now().uptimeNanoseconds
        return content.withLock { content in
            guard let index = look(&content, Self.indexPath, now) else { return nil }
            if let shell = content.shell, shell.revision == content.revision { return shell.shell }
            let modules = PageImports.modules(from: Self.mainPath) { content.files[$0]?.file.text }
            let shell = PageShell(index.text, modules: modules, revision: content.revision)
            content.shell = (content.revision, shell)
            return shell
        }
    }

    /// A file that is kept, read again if it is another one.
    private func look(_ content: inout Content, _ path: String, _ now: UInt64) -> PageFile? {
        guard var kept = content.files[path] else { return nil }
        guard isOver(kept.lookedAt, now) else { return kept.file }
        kept.lookedAt = now
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

    /// Whether the pause after a look is over.
    ///
    /// A request that waited for the lock may have read its clock before another one looked.
    private func isOver(_ lookedAt: UInt64, _ now: UInt64) -> Bool {
        now >= lookedAt + pauseNanoseconds
    }

    /// Looks for files that are new, where one is asked for that could be a file of a page.
    private func walk(_ content: inout Content, _ now: UInt64, for path: String) {
        guard isOver(content.walkedAt, now), PageFile.contentType(of: path) != nil else { return }
        // A folder that cannot be walked is not walked at every request either.
        content.walkedAt = now
        guard let found = try? PageFolder.files(in: folder) else { return }
        for (path, url) in found where content.files[path] == nil {
            guard let file = PageFile(path, url) else { continue }
            content.files[path] = Kept(url: url, file: file, lookedAt: now)
            content.revision += 1
        }
    }
}
