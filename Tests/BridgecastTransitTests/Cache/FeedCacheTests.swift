// Cached feeds: the same feed again, a new one when its file changes, and never a damaged one.
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit

@Suite("The cache of feeds")
struct FeedCacheTests {
    /// A feed's folder and an empty cache in a temporary folder, which is removed afterwards.
    private func withCache(_ body: (URL, FeedCache) throws -> Void) throws {
        let folder = try Fixtures.temporaryFolder()
        let feed = try SmallTransit.folder()
        defer {
            for url in [folder, feed] { try? FileManager.default.removeItem(at: url) }
        }
        try body(feed, FeedCache(folder: folder.appendingPathComponent("cache")))
    }

    /// The one file of a cache.
    private func file(of cache: FeedCache) throws -> URL {
        let files = try FileManager.default.contentsOfDirectory(
            at: cache.folder, includingPropertiesForKeys: nil)
        #expect(files.count == 1)
        return try #require(files.first)
    }

    /// Sets a file's time of change to long ago, as files that are not being written have it.
    private func age(_ url: URL, seconds: Double = 100) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: url.path)
    }

    /// Ages all files of a feed's folder.
    private func ageAll(_ folder: URL) throws {
        for file in try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        { try age(file) }
    }

    @Test(
        "A feed from the cache is the feed that was read, column by column",
        .enabled(if: TransitSamples.areHere),
        arguments: [
            "puget-sound/gtfs-sound-transit-2017-11.zip", "caltrain/gtfs-2026.zip",
            "caltrain/gtfs-2016.zip", "samples/gtfs-sample-feed.zip",
        ])
    func sameFeed(_ name: String) throws {
        try withCache { _, cache in
            let first = try cache.reading(TransitSamples.url(name))
            let second = try cache.reading(TransitSamples.url(name))
            #expect(!first.isFromCache && second.isFromCache)
            #expect(FeedColumns.differences(first.feed, second.feed) == [])
            #expect(second.feed.stopTimes.count > 20)
            #expect(
                second.feed.notices.kept == first.feed.notices.kept
                    && second.feed.notices.counts == first.feed.notices.counts)
            let stop = first.feed.stops.ids[1]
            #expect(second.feed.stop(stop) == first.feed.stop(stop))
        }
    }

    @Test("Every column that a feed has is in the file, new ones too")
    func everyColumn() throws {
        try withCache { url, cache in
            let feed = try cache.feed(url)
            let header = try Data(contentsOf: file(of: cache)).prefix(16)
            let sections = header.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            // The small parts are one section more.
            #expect(sections == FeedColumns.sections(feed) + 1)
            #expect(FeedColumns.sections(feed) > 50)
        }
    }

    @Test(
        "A file that was changed in the year 2400, by its own account, is read and kept like others"
    )
    func distantTime() throws {
        try withCache { url, cache in
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 13_569_465_600)],
                ofItemAtPath: url.appendingPathComponent("stops.txt").path)
            #expect(try cache.reading(url).keptBytes ?? 0 > 0)
            #expect(try cache.feed(url).stops.count == 5)
        }
    }

    @Test("A folder with another text of the same length is another feed")
    func changedFolder() throws {
        try withCache { url, cache in
            try ageAll(url)
            #expect(
                try cache.reading(url).feed[#require(cache.feed(url).stop("N1"))].name
                    == "Ballard 1")
            try SmallTransit.write(SmallTransit.stops(named: "Bollard"), "stops.txt", in: url)
            let changed = try cache.reading(url)
            #expect(!changed.isFromCache)
            #expect(try changed.feed[#require(changed.feed.stop("N1"))].name == "Bollard 1")
        }
    }

    @Test(
        "Another zip file in the place of the first is read; one that was only touched is not",
        .enabled(if: TransitSamples.areHere))
    func changedZip() throws {
        try withCache { folder, cache in
            let zip = folder.appendingPathComponent("feed.zip")
            try FileManager.default.copyItem(
                at: TransitSamples.url("caltrain/gtfs-2026.zip"), to: zip)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: zip.path)
            try age(zip)
            _ = try cache.feed(zip)
            try age(zip, seconds: 50)
            #expect(try cache.reading(zip).isFromCache)
            try Data(TransitSamples.bytes("caltrain/gtfs-2016.zip")).write(to: zip)
            try age(zip, seconds: 50)
            let other = try cache.reading(zip)
            #expect(!other.isFromCache)
            #expect(other.note.contains("has changed since"))
            #expect(try cache.reading(zip).isFromCache)
        }
    }

    @Test(
        "A zip file that changes within the tick of its file system's clock is seen by its bytes",
        .enabled(if: TransitSamples.areHere))
    func changedWithinATick() throws {
        try withCache { folder, cache in
            let zip = folder.appendingPathComponent("feed.zip")
            var bytes = try TransitSamples.bytes("samples/gtfs-sample-feed.zip")
            // The archive's comment, which nobody reads: another file of the same length.
            bytes[bytes.count - 2] = 1
            try Data(bytes + [0x41]).write(to: zip)
            let now = Date()
            try FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: zip.path)
            _ = try cache.feed(zip)
            try Data(bytes + [0x42]).write(to: zip)
            try FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: zip.path)
            #expect(try !cache.reading(zip).isFromCache)
        }
    }

    @Test("A feed that cannot be read is refused, and nothing is kept")
    func refused() throws {
        try withCache { url, cache in
            #expect(throws: TransitFeedError.self) {
                try cache.feed(url.appendingPathComponent("missing.zip"))
            }
            #expect(throws: TransitFeedError.self) {
                try cache.feed(url.appendingPathComponent("stops.txt"))
            }
            #expect(!FileManager.default.fileExists(atPath: cache.folder.path))
        }
    }

    @Test("A folder that cannot be written costs time and nothing else")
    func unwritable() throws {
        try withCache { url, cache in
            try FileManager.default.createDirectory(
                at: cache.folder.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("a file".utf8).write(to: cache.folder)
            let reading = try cache.reading(url)
            #expect(reading.feed.stop("N1") != nil)
            #expect(reading.keptBytes == nil && reading.note.contains("cannot be made"))
        }
    }

    @Test("No more feeds are kept than the folder may hold, the newest among them")
    func bounded() throws {
        try withCache { url, cache in
            _ = try cache.feed(url)
            let kept = try file(of: cache)
            for number in 0..<FeedCache.mostFeeds + 5 {
                let other = cache.folder.appendingPathComponent("old-\(number).feed")
                try FileManager.default.copyItem(at: kept, to: other)
                try age(other, seconds: 1000 + Double(number))
            }
            try SmallTransit.write(SmallTransit.stops(named: "Renewed"), "stops.txt", in: url)
            _ = try cache.feed(url)
            let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
            #expect(names.count == FeedCache.mostFeeds)
            #expect(names.contains(kept.lastPathComponent) && !names.contains("old-20.feed"))
        }
    }

    @Test("The user's folder is beside the history")
    func usualFolder() {
        #expect(
            FeedCache.usualFolder(["XDG_DATA_HOME": "/data", "HOME": "/home/x"])?.path
                == "/data/bridgecast/transit")
        #expect(
            FeedCache.usualFolder(["XDG_DATA_HOME": "data", "HOME": "/home/x"])?.path
                == "/home/x/.local/share/bridgecast/transit")
        #expect(FeedCache.usualFolder([:]) == nil)
    }
}
