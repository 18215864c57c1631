// The real feeds that tests read: other people's files, beside the checkout and not in it.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation

/// Files of `shared/data/transit`; tests that need them are skipped where they are not.
enum TransitSamples {
    /// The folder beside the checkout.
    static let folder = Fixtures.checkout.deletingLastPathComponent()
        .appendingPathComponent("shared/data/transit")

    /// Whether the files are there.
    static let areHere = FileManager.default.fileExists(atPath: folder.path)

    /// A file of the folder.
    static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The bytes of a file of the folder.
    static func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(name))) }

    /// Sound Transit's timetable of November 2017, read once.
    static let soundTransit = Result {
        try TransitFeed(contentsOf: url("puget-sound/gtfs-sound-transit-2017-11.zip"))
    }

    /// Caltrain's timetable of 2026, read once.
    static let caltrain = Result { try TransitFeed(contentsOf: url("caltrain/gtfs-2026.zip")) }
}
