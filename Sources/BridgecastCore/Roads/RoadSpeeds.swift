// How fast roads are: classes, their speeds by the hour, and the clock of a trip; used by RoadNetwork.

/// Speeds of all classes for one mode at one time of day, metres a minute.
struct ClassSpeeds {
    fileprivate let table: [Double]
    fileprivate let now: Int
    fileprivate let next: Int
    fileprivate let share: Double

    /// 0 where the mode may not go.
    func callAsFunction(ofClass roadClass: Int) -> Double {
        let row = roadClass * ClassSpeeds.rowLength
        let speed = table[row + now]
        return speed + (table[row + next] - speed) * share
    }

    fileprivate static let rowLength = DayType.allCases.count * 24
}

extension RoadNetwork {
    /// Speeds by class, day type and full hour; one table for each mode.
    static func speedTable(_ classes: [RoadClass], _ mode: Route.Mode) -> [Double] {
        classes.flatMap { roadClass -> [Double] in
            let speed = roadClass.freeSpeed(mode) ?? 0
            return roadClass.factors.joined().map { mode == .car ? speed * $0 : speed }
        }
    }

    /// The speeds at a time of day: linear between full hours.
    func speeds(_ mode: Route.Mode, _ clock: DayClock) -> ClassSpeeds {
        let hour = clock.minuteOfDay / 60
        let lower = Int(hour)
        let today = clock.dayType.rawValue * 24
        let next = lower == 23 ? clock.nextDayType.rawValue * 24 : today + lower + 1
        return ClassSpeeds(
            table: speedTables[mode.index], now: today + lower, next: next,
            share: hour - Double(lower))
    }

    /// Minutes for a length of a class, entered at a time of day; infinite where the mode may not go.
    func minutes(
        _ metres: Double, _ roadClass: Int, _ mode: Route.Mode, entering clock: DayClock
    ) -> Double {
        metres / speeds(mode, clock)(ofClass: roadClass)
    }
}

extension Route.Mode {
    /// Its place in tables by mode.
    var index: Int {
        switch self {
        case .car: 0
        case .bike: 1
        case .walk: 2
        }
    }
}
