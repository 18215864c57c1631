// Detects changes of files without reading them: the model, the timetable, the files of the page.
import Foundation

/// Size, inode and modification time of a file; they change when the file is replaced or written.
package struct FileStamp: Equatable, Sendable {
    private let size: UInt64
    private let inode: UInt64
    private let modified: Date

    /// Reads the attributes of a file; nil if there is none or they cannot be read.
    package init?(_ path: String) {
        // A link is followed: models are often replaced by changing one.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: target),
            let size = found[.size] as? NSNumber, let inode = found[.systemFileNumber] as? NSNumber,
            let modified = found[.modificationDate] as? Date
        else { return nil }
        self.size = size.uint64Value
        self.inode = inode.uint64Value
        self.modified = modified
    }
}

/// The stamps of a zip file, or of the text files of a folder.
struct FeedStamp: Equatable, Sendable {
    private let files: [String: FileStamp]

    /// Feeds have fewer files and folders.
    private static let maxFiles = 1000

    /// Reads the attributes of a file or folder; nil if there is none or they cannot be read.
    init?(_ url: URL) {
        guard let own = FileStamp(url.path) else { return nil }
        var files = ["": own]
        // A folder's own time does not change when a file within it is written.
        let walk = FileManager.default.enumerator(atPath: url.path)
        var seen = 0
        while let name = walk?.nextObject() as? String, seen < Self.maxFiles {
            seen += 1
            guard name.lowercased().hasSuffix(".txt") else { continue }
            files[name] = FileStamp(url.appendingPathComponent(name).path)
        }
        self.files = files
    }
}
