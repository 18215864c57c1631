// The real feeds that tests read: other people's files, which are not in the repository.
// Belongs here: tests of BridgecastTransit and BridgecastTransitAnswers.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation

/// Files of the folder that BRIDGECAST_SAMPLE_FEEDS names; tests that need them are skipped where there is none.
enum TransitSamples {
    /// The folder; one that is not there if none is named.
    static let folder: URL = {
        let named = ProcessInfo.processInfo.environment["BRIDGECAST_SAMPLE_FEEDS"]
        return URL(fileURLWithPath: named ?? "/nowhere", isDirectory: true)
    }()

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
