// Whether a vessel passes under a bridge, and when it may have an opening; part of an outlook.
package import BridgecastCore
private import Foundation

/// What is said to the master of a vessel.
package struct VesselAnswer: Sendable {
    /// Height of the vessel above the water, feet.
    package let heightFeet: Double
    /// Whether it is too high for the lowered span.
    package let needsOpening: Bool
    /// All of it in words.
    package let words: String

    /// Less room than this is not called safe, feet.
    private static let safeRoomFeet = 2.0

    /// The answer for a vessel of a height, above 0, that comes to a bridge at a moment.
    package init(heightFeet: Double, at bridge: Bridge, _ moment: Timestamp) {
        self.heightFeet = heightFeet
        let room = bridge.clearanceFeet - heightFeet
        needsOpening = room < 0
        let height = "\(Self.feet(heightFeet)) ft"
        let tide =
            bridge.waterway == .duwamish
            ? " at mean high water; lower tides leave more room" : ""
        if room >= Self.safeRoomFeet {
            words = "A vessel of \(height) passes under it: \(Self.feet(room)) ft to spare\(tide)."
        } else if room >= 0 {
            words =
                "A vessel of \(height) has \(Self.feet(room)) ft to spare\(tide): too little to be sure; "
                + "antennas and waves count. Read the clearance gauge, or signal."
        } else {
            words =
                "A vessel of \(height) needs an opening (\(Self.feet(-room)) ft too high\(tide)): "
                + "\(Self.when(bridge, moment))."
        }
    }

    /// When it may have its opening.
    private static func when(_ bridge: Bridge, _ moment: Timestamp) -> String {
        let status = bridge.rules.status(at: SeattleTime.civil(at: moment))
        if let left = status.minutesUntilWindowEnds {
            return
                "smaller vessels wait until \(TimeText.clock(moment.adding(minutes: left)))"
        }
        if status.isHalfHourOnly { return "it opens on the hour and half-hour now" }
        if status.needsNotice, let notice = bridge.rules.nightNoticeHours {
            return "it needs \(notice) h notice at this hour"
        }
        return "it may signal now"
    }

    private static func feet(_ value: Double) -> String {
        String(format: value == value.rounded() ? "%.0f" : "%.1f", value)
    }
}
