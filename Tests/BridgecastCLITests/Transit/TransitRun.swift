// Runs commands of transit on a small timetable over Ballard Bridge and files of realtime feeds.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

/// A home with a timetable, and realtime feeds as files in it.
struct TransitHome {
    let home: URL
    /// The timetable's folder.
    let feed: URL

    /// The time of the tests, before the bus of 18:00.
    static let now = "2026-02-20T17:55"
    static let epoch = Timestamp(secondsSinceEpoch: 1_771_638_900)

    /// Runs a test with a timetable of its own.
    static func with(_ body: (TransitHome) async throws -> Void) async throws {
        try await withHome { home in
            let feed = try SmallTransit.folder()
            defer { try? FileManager.default.removeItem(at: feed) }
            try await body(TransitHome(home: home, feed: feed))
        }
    }

    /// Runs a command on the timetable at the time.
    func run(_ words: String..., at time: String? = Self.now) async throws -> CommandRun {
        try await CommandRun(
            words + ["--feed", feed.path] + (time.map { ["--at", $0] } ?? []), home: home)
    }

    /// What a command printed, as JSON.
    func json(_ words: String..., at time: String? = Self.now) async throws -> [String: Any] {
        let run = try await CommandRun(
            words + ["--format", "json", "--feed", feed.path]
                + (time.map { ["--at", $0] } ?? []),
            home: home)
        #expect(run.code == 0, "\(run.errors)")
        return try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    /// A file with trip updates: the bus of a time is so late.
    func updates(_ time: String = "18:00", late seconds: Int) throws -> String {
        try file(
            SmallTransit.tripUpdates(
                of: SmallTransit.trip(at: time), delaySeconds: seconds, at: Self.epoch),
            "updates.json")
    }

    /// A file with the position of the bus of 18:00.
    func vehicles(latitude: Double = 47.65) throws -> String {
        try file(
            SmallTransit.vehicles(
                of: SmallTransit.trip(at: "18:00"), latitude: latitude, at: Self.epoch),
            "vehicles.json")
    }

    /// A file of the home.
    func file(_ bytes: [UInt8], _ name: String) throws -> String {
        let url = home.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url.path
    }
}

/// A value deep in a JSON document: names of fields and places in lists.
func value(_ document: Any?, _ path: Any...) -> Any? {
    path.reduce(document) { document, step in
        if let name = step as? String { return (document as? [String: Any])?[name] }
        guard let place = step as? Int, let list = document as? [Any], list.indices.contains(place)
        else { return nil }
        return list[place]
    }
}
