// The sentences of alerts.
internal import BridgecastCore
internal import BridgecastSupport

/// Title and text of an alert.
struct AlertText: Equatable {
    let title: String
    let text: String

    /// A bridge that went up.
    static func raised(_ opening: SeenOpening) -> AlertText {
        let name = BridgeCatalogue[opening.bridge].spokenName
        guard opening.isStartKnown else {
            return AlertText(
                title: "\(name) is up",
                text: "\(name) is up; it was first seen so at \(clock(opening.start)).")
        }
        let minutes = opening.minutesUp
        return AlertText(
            title: "\(name) is up",
            text: minutes < 2
                ? "\(name) went up at \(clock(opening.start))."
                : "\(name) has been up since \(clock(opening.start)), for \(minutes) min.")
    }

    /// A bridge that is still up.
    static func stillRaised(_ opening: SeenOpening) -> AlertText {
        let name = BridgeCatalogue[opening.bridge].spokenName
        let bound = opening.isStartKnown ? "" : "at least "
        return AlertText(
            title: "\(name) is still up",
            text: "\(name) has been up for \(bound)\(opening.minutesUp) min, "
                + (opening.isStartKnown ? "since" : "seen so since")
                + " \(clock(opening.start)).")
    }

    /// A bridge that is down again.
    static func lowered(_ opening: SeenOpening, at time: Timestamp) -> AlertText {
        let name = BridgeCatalogue[opening.bridge].spokenName
        let minutes = Int((opening.elapsedSeconds / 60).rounded())
        let length = minutes < 1 ? "less than a minute" : "about \(minutes) min"
        return AlertText(
            title: "\(name) is down again",
            text: "\(name) is down again at \(clock(time)), after \(length).")
    }

    /// A bridge that will likely open.
    static func likely(_ bridge: BridgeIndex, chance: Double, at time: Timestamp) -> AlertText {
        let name = BridgeCatalogue[bridge].spokenName
        let percent = Int((chance * 100).rounded())
        return AlertText(
            title: "\(name) will likely open",
            text: "\(name) is up within the next 10 min with a chance of \(percent) %, "
                + "as forecast at \(clock(time)).")
    }

    /// A time to leave.
    static func leaveNow(_ reminder: DepartureReminder, leaveBy: Timestamp) -> AlertText {
        let name = printable(reminder.name)
        return AlertText(
            title: "Leave now for \(name)", text: "Leave for \(name) by \(clock(leaveBy)).")
    }

    /// An agency's alert.
    static func line(_ alert: LineAlert, of line: String) -> AlertText {
        let header = printable(alert.header, maxLength: 200)
        let text = printable(alert.text, maxLength: 1000)
        return AlertText(title: "Line \(printable(line))", text: text.isEmpty ? header : text)
    }

    /// Seattle's time, such as `15:02 PST`.
    private static func clock(_ time: Timestamp) -> String { TimeText.clockAndZone(time) }
}
