// Moments as documents write them, against the zone database, where zones are odd and clocks are set.
import BridgecastCore
import Testing

@testable import BridgecastTransit
@testable import BridgecastTransitAnswers

@Suite struct MomentTextTests {
    @Test(
        "Moments are written as the zone has them, around every change of clocks",
        arguments: [
            "America/Los_Angeles", "America/Regina", "Asia/Kathmandu", "Australia/Lord_Howe",
            "America/St_Johns", "UTC", "Africa/Monrovia",
        ])
    func asTheZone(_ identifier: String) throws {
        let zone = try #require(TransitZone(identifier))
        var text = MomentText(zone)
        // Days around the changes of clocks of 2026 on both halves of the earth, and moments since 1901.
        let days: [Int64] = [1_772_900_000, 1_793_500_000, 1_775_300_000, 1_790_900_000]
        var moments = (0..<2000).map { days[Int($0 % 4)] + $0 * 7919 % 172_800 }
        moments += (0..<500).map { -2_170_000_000 + $0 * 12_345_679 }
        for moment in moments.map(Timestamp.init(secondsSinceEpoch:)) {
            let written = String(decoding: text.bytes(moment), as: UTF8.self)
            #expect(written == "\"\(zone.rfc3339(moment))\"", "\(moment.secondsSinceEpoch)")
        }
    }

    @Test("A clock that is set within a quarter of an hour is followed to the second")
    func withinAQuarter() throws {
        // Newfoundland's clocks were set at 00:01 until 2011; on 2006-10-29 that was 02:31 UTC.
        let zone = try #require(TransitZone("America/St_Johns"))
        let change: Int64 = 1_162_089_060
        #expect(
            zone.utcOffsetSeconds(at: Timestamp(secondsSinceEpoch: change - 1))
                != zone.utcOffsetSeconds(at: Timestamp(secondsSinceEpoch: change)))
        var text = MomentText(zone)
        for second in change - 1000...change + 1000 {
            let moment = Timestamp(secondsSinceEpoch: second)
            #expect(
                String(decoding: text.bytes(moment), as: UTF8.self) == "\"\(zone.rfc3339(moment))\""
            )
        }
    }
}
