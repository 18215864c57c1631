// When on a day drawbridges open, by the rules and roughly: by what WrongHours tells whether a clock is right.
import BridgecastCore
import Foundation

/// How likely an opening is at a time of the day, knowing of the bridge only its closed hours.
///
/// Boats go by day, and on weekdays smaller ones wait through the closed hours. The shares are those of the shipped
/// records of bridges with closed hours, rounded; they need not be near for a clock that is hours off.
struct DayShape {
    /// The start of an opening on the wall clock.
    struct Start {
        let bridge: BridgeIndex
        let day: Int
        let second: Int

        init(_ opening: Opening) {
            let civil = SeattleTime.civil(at: opening.start)
            (bridge, day) = (opening.bridge, civil.date.dayNumber)
            second = civil.secondOfDay
        }

        private init(_ bridge: BridgeIndex, _ seconds: Int) {
            self.bridge = bridge
            day = Int((Double(seconds) / 86_400).rounded(.down))
            second = seconds - day * 86_400
        }

        /// The start on a clock that shows so many hours more.
        func moved(hours: Int) -> Start { Start(bridge, day * 86_400 + second + hours * 3_600) }
    }

    private static let closedShare = 0.02
    private static let (nightShare, weekendNightShare) = (0.08, 0.04)
    /// From 22:00 to 6:00, when no window is closed.
    private static let nightMinutes = 480.0

    private struct Day: Hashable {
        let bridge: BridgeIndex
        let number: Int
    }

    /// The closed windows of days that were asked for.
    private var windows: [Day: [ClockWindow]] = [:]

    private enum Part { case closed, night, open }

    private mutating func windows(of start: Start) -> [ClockWindow] {
        let day = Day(bridge: start.bridge, number: start.day)
        if let known = windows[day] { return known }
        let found = BridgeCatalogue[start.bridge].rules.closedWindows(
            on: CivilDate(dayNumber: start.day))
        windows[day] = found
        return found
    }

    private static func part(of start: Start, _ windows: [ClockWindow]) -> Part {
        let minute = Double(start.second) / 60
        if windows.contains(where: { $0.startMinute <= minute && minute < $0.endMinute }) {
            return .closed
        }
        return (360..<1_320).contains(minute) ? .open : .night
    }

    /// Whether a start is by night or in a closed window.
    mutating func isQuiet(_ start: Start) -> Bool {
        Self.part(of: start, windows(of: start)) != .open
    }

    /// ln of the density at a start, per minute of its day.
    mutating func logDensity(of start: Start) -> Double {
        let windows = windows(of: start)
        let closed = windows.reduce(0) { $0 + $1.endMinute - $1.startMinute }
        let closedShare = closed > 0 ? Self.closedShare : 0
        let nightShare = closed > 0 ? Self.nightShare : Self.weekendNightShare
        return switch Self.part(of: start, windows) {
        case .closed: log(closedShare / closed)
        case .night: log(nightShare / Self.nightMinutes)
        case .open:
            log((1 - closedShare - nightShare) / (1_440 - Self.nightMinutes - closed))
        }
    }
}
