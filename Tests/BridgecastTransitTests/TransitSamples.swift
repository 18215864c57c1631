// The real feeds that tests read: samples of Tests/Samples/transit, and the shipped timetable.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTransit
import Foundation
import Testing

/// Files of `Tests/Samples/transit`; its README has their sources.
enum TransitSamples {
    private static let folder = Fixtures.checkout.appendingPathComponent("Tests/Samples/transit")

    /// The shipped timetable: bus lines over Montlake Bridge in the winter of 2017-18.
    static let shippedTimetable = Fixtures.model("transit/sound-transit-montlake.zip")

    /// A file of the folder.
    static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The bytes of a file of the folder.
    static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(name))) }

    /// The files of a timetable's zip file, by name.
    static func files(of feed: URL) throws -> [String: [UInt8]] {
        let archive = ZipFile(contents: .memory([UInt8](try Data(contentsOf: feed))))
        var files: [String: [UInt8]] = [:]
        for entry in try archive.entries(max: 100) {
            let stream = try archive.stream(entry.index)
            var bytes: [UInt8] = []
            while try stream.append(max: 1000, to: &bytes) > 0 {}
            #expect(bytes.count == entry.bytes)
            files[entry.name] = bytes
        }
        return files
    }

    /// The shipped timetable, read once.
    static let soundTransit = Result { try TransitFeed(contentsOf: shippedTimetable) }

    /// Caltrain's timetable of 2026, read once.
    static let caltrain = Result { try TransitFeed(contentsOf: url("caltrain/gtfs-2026.zip")) }
}
