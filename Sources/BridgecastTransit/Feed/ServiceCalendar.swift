// On which days services run: calendar.txt and calendar_dates.txt.
public import BridgecastCore

/// The days of all services.
public struct ServiceCalendar: Sendable {
    package var ids = IdentifierTable()
    /// Bit 0 is Monday; 0 for a service that has dates alone.
    package var weekdays: [UInt8] = []
    /// ``CivilDate/dayNumber``, both inclusive; an end before the start where there is no such period.
    package var firstDays: [Int32] = []
    package var lastDays: [Int32] = []
    /// By service, where its exceptions begin; one more than there are services.
    package var exceptionStarts: [UInt32] = [0]
    /// Day numbers, increasing within a service.
    package var exceptionDays: [Int32] = []
    /// 1 for a day on which it runs, 0 for one on which it does not.
    package var exceptionIsAdded: [UInt8] = []

    package init() {}

    package var count: Int { ids.count }

    /// Whether a service runs on a day; O(log exceptions).
    public func isActive(_ service: ServiceIndex, on date: CivilDate) -> Bool {
        let (row, day) = (service.position, Int32(date.dayNumber))
        let range = Int(exceptionStarts[row])..<Int(exceptionStarts[row + 1])
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if exceptionDays[middle] < day { low = middle + 1 } else { high = middle }
        }
        if low < range.upperBound, exceptionDays[low] == day { return exceptionIsAdded[low] != 0 }
        guard day >= firstDays[row], day <= lastDays[row] else { return false }
        // 1970-01-01 was a Thursday.
        let weekday = ((Int(day) + 3) % 7 + 7) % 7
        return weekdays[row] & (1 << weekday) != 0
    }

    /// By service, whether it runs on a day.
    package func active(on date: CivilDate) -> [Bool] {
        (0..<count).map { isActive(ServiceIndex($0), on: date) }
    }

    /// The first and last day on which any service runs, exceptions included; nil if none does.
    ///
    /// O(services + exceptions).
    public var period: ClosedRange<CivilDate>? {
        var (first, last) = (Int32.max, Int32.min)
        for row in 0..<count where firstDays[row] <= lastDays[row] && weekdays[row] != 0 {
            (first, last) = (min(first, firstDays[row]), max(last, lastDays[row]))
        }
        for (day, isAdded) in zip(exceptionDays, exceptionIsAdded) where isAdded != 0 {
            (first, last) = (min(first, day), max(last, day))
        }
        return first <= last
            ? CivilDate(dayNumber: Int(first))...CivilDate(dayNumber: Int(last)) : nil
    }
}
