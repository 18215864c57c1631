// Half-written files in the cache's folder: they go when nobody goes on writing them, and nothing else does.
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import Testing

@Suite struct UnfinishedFeedTests {
    @Test("What a process left half written when it was killed goes with the next reading")
    func orphansGo() throws {
        let (folder, feed) = (try Fixtures.temporaryFolder(), try SmallTransit.folder())
        defer {
            for url in [folder, feed] { try? FileManager.default.removeItem(at: url) }
        }
        // Files that were just written are read again; these are not.
        for name in SmallTransit.files.keys { try age(feed.appendingPathComponent(name), 100) }
        let cache = FeedCache(folder: folder)
        _ = try cache.feed(feed)
        let gone = Process()
        gone.executableURL = URL(fileURLWithPath: "/bin/true")
        try gone.run()
        gone.waitUntilExit()
        let own = ProcessInfo.processInfo.processIdentifier
        // Seconds since the last change, and whether the file stays.
        let files: [(name: String, age: Double, stays: Bool)] = [
            ("x.feed.\(gone.processIdentifier)-7.partial", 10, false),
            ("x.feed.\(own)-7.partial", 10, true), ("x.feed.\(own)-8.partial", 4000, false),
            ("x.feed.1-7.partial", 10, true), ("other.partial", 10, true),
            ("x.feed.0-7.partial", 10, true), ("notes.txt", 4000, true),
        ]
        for file in files {
            let url = folder.appendingPathComponent(file.name)
            try Data("half".utf8).write(to: url)
            try age(url, file.age)
        }
        #expect(try cache.reading(feed).isFromCache)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for file in files { #expect(names.contains(file.name) == file.stays, "\(file.name)") }
        #expect(names.count { $0.hasSuffix(".feed") } == 1, "the copy of this feed")
    }

    private func age(_ url: URL, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: url.path)
    }
}
