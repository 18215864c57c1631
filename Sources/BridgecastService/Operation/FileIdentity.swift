// What tells one state of a file from another without reading it; used by ModelWatch and PageFile.
private import Foundation

/// Size, place and time of a file's content.
struct FileIdentity: Equatable, Sendable {
    private let size: UInt64
    private let inode: UInt64
    private let modified: Date

    /// Looks at a file; nil if there is none that can be looked at.
    init?(_ path: String) {
        // A link is followed: models are often exchanged by turning one.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: target),
            let size = found[.size] as? NSNumber, let inode = found[.systemFileNumber] as? NSNumber,
            let modified = found[.modificationDate] as? Date
        else { return nil }
        (self.size, self.inode, self.modified) = (size.uint64Value, inode.uint64Value, modified)
    }
}
