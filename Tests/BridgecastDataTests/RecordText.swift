// Records as tests write them; shared by the tests of record files.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport

enum RecordText {
    static let now = Fixtures.moment("2026-11-21T12:00")
    static let header =
        "entitytype,entityname,entityid,opendatetime,closedatetime,minutesopen,latitude,longitude\n"

    /// The file of this text.
    static func read(_ text: String) throws -> RecordFile {
        try withFile(text.utf8) { try RecordFile($0, now: now) }
    }
}
