// What keeps the cache's folder small: old feeds go, and files that a process left half written; used by FeedCache.
private import Foundation
private import Glibc

extension FeedCache {
    /// Removes the oldest feeds above ``mostFeeds``.
    func removeOldest() {
        let feeds = files { $0.hasSuffix(FeedCacheFormat.suffix) }.sorted {
            $0.changed > $1.changed
        }
        for feed in feeds.dropFirst(Self.mostFeeds) { unsafe _ = unlink(feed.path) }
    }

    /// Removes files that nobody goes on writing: those of processes that are gone, and any of an hour ago.
    ///
    /// A process of another machine or container that writes into the same folder may seem to be gone; it then keeps no
    /// copy this time.
    func removeUnfinished() {
        for file in files({ $0.hasSuffix(UnfinishedFeed.suffix) }) {
            let age = -file.changed.timeIntervalSinceNow
            if age > UnfinishedFeed.mostSeconds || UnfinishedFeed.isOrphan(file.path) {
                unsafe _ = unlink(file.path)
            }
        }
    }

    /// The folder's files by name, with the times of their last change.
    private func files(_ isWanted: (String) -> Bool) -> [(path: String, changed: Date)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isWanted).map { name in
            let path = folder.appendingPathComponent(name).path
            let state = try? FileManager.default.attributesOfItem(atPath: path)
            return (path, state?[.modificationDate] as? Date ?? .distantPast)
        }
    }
}

/// A cached feed that is being written, under a name that tells by whom: `NAME.feed.PROCESS-NUMBER.partial`.
enum UnfinishedFeed {
    static let suffix = ".partial"
    /// Nothing takes so long to write.
    static let mostSeconds = 3600.0

    /// A new name beside the place of the whole feed.
    static func path(beside place: String) -> String {
        "\(place).\(getpid())-\(UInt32.random(in: 0 ... .max))\(suffix)"
    }

    /// Whether the process that the name tells is gone; false where the name tells none.
    static func isOrphan(_ path: String) -> Bool {
        let word = path.dropLast(suffix.count).split(separator: ".").last ?? ""
        guard let process = word.split(separator: "-").first.flatMap({ pid_t($0) }), process > 0
        else { return false }
        // Signal 0 is sent to nobody and tells whether there is somebody (POSIX, kill).
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
