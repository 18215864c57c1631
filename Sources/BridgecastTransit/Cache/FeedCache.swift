// A feed as a binary file, so that the next start takes a tenth of a second; made again when the zip file changes.
// Belongs here: the cache's form, its writing and reading; not: what a feed means.
public import Foundation
private import Glibc

/// A folder with feeds in their binary form.
///
/// A file or folder's cached feed is used while its size and time are what they were, or, where only the time has
/// changed, while its SHA-256 is. What is damaged, cut off or made by another version is made again. Several
/// processes may use one folder.
public struct FeedCache: Sendable {
    /// The folder.
    public let folder: URL
    /// Cached feeds beyond so many are removed, the oldest first.
    public static let mostFeeds = 16

    /// Names a folder, which is made when something is kept.
    public init(folder: URL) { self.folder = folder }

    /// The user's folder: `transit` beside the history store, below `$XDG_DATA_HOME/bridgecast` or
    /// `~/.local/share/bridgecast`; nil if the environment names no home.
    public static func usualFolder(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL? {
        func folder(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let data = folder("XDG_DATA_HOME") ?? folder("HOME").map { $0 + "/.local/share" }
        return data.map { URL(fileURLWithPath: $0).appendingPathComponent("bridgecast/transit") }
    }

    /// A feed: from the cache if it holds this very file, else read and kept.
    ///
    /// A cache that cannot be written or is damaged is no error: the feed is read.
    /// - Throws: ``TransitFeedError``
    public func feed(_ url: URL) throws(TransitFeedError) -> TransitFeed {
        try reading(url).feed
    }

    /// A feed, and how it was had.
    ///
    /// - Throws: ``TransitFeedError``
    package func reading(_ url: URL) throws(TransitFeedError) -> Reading {
        guard let source = FeedIdentity(of: url) else {
            return Reading(feed: try TransitFeed(contentsOf: url), note: "it cannot be known again")
        }
        removeUnfinished()
        let place = folder.appendingPathComponent(source.cacheName)
        let note: String
        do {
            return Reading(
                feed: try CachedFeedReader.read(place.path, madeFrom: source), isFromCache: true)
        } catch { note = error.description }
        let feed = try TransitFeed(contentsOf: url)
        var reading = Reading(feed: feed, note: note)
        do {
            reading.keptBytes = try keep(feed, from: source, url, at: place)
        } catch { reading.note = error.description }
        return reading
    }

    /// How a feed was had.
    package struct Reading: Sendable {
        /// The feed.
        package let feed: TransitFeed
        /// Whether the cache had it.
        package var isFromCache = false
        /// Bytes that were written to the cache; nil if nothing was.
        package var keptBytes: Int?
        /// Why the cache did not have it, or does not have it now; empty if it had it.
        package var note = ""
    }

    /// Writes beside the place and moves it there whole, if the source still is what was read.
    private func keep(
        _ feed: TransitFeed, from source: FeedIdentity, _ url: URL, at place: URL
    ) throws(CachedFeedDamage) -> Int {
        guard let source = source.digested(), let present = FeedIdentity(of: url),
            source.isSame(as: present)
        else { throw CachedFeedDamage("\(source.path) changed while it was read") }
        let partial = UnfinishedFeed.path(beside: place.path)
        var isDone = false
        defer { if !isDone { unsafe _ = unlink(partial) } }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch { throw CachedFeedDamage("\(folder.path) cannot be made") }
        let bytes = try CachedFeedWriter.write(feed, from: source, to: partial)
        guard unsafe rename(partial, place.path) == 0 else {
            throw CachedFeedDamage("\(place.path) cannot be replaced")
        }
        isDone = true
        removeOldest()
        return bytes
    }
}
