// The service days around a moment, worked out once for a snapshot; read by boards for every line they show.
package import BridgecastCore

/// When service days begin and which services run on them: those around a moment at hand, any other worked out when asked.
package final class ServiceDays: Sendable {
    private let services: ServiceCalendar
    private let zone: TransitZone
    /// The first day at hand, as ``CivilDate/dayNumber``.
    private let firstDay: Int
    /// By day at hand, seconds since 1970.
    private let starts: [Int64]
    /// By day at hand and service.
    private let active: [[Bool]]

    /// Works out the days from three before a moment to two after it; O(services · log exceptions).
    package init(_ feed: TransitFeed, around moment: Timestamp) {
        (services, zone) = (feed.services, feed.zone)
        let today = zone.civil(at: moment).date
        let days = (-3...2).map { today.adding(days: $0) }
        firstDay = days[0].dayNumber
        starts = days.map { [zone] in zone.serviceDayStart($0).secondsSinceEpoch }
        active = days.map { [services] in services.active(on: $0) }
    }

    /// When a service day begins, seconds since 1970: twelve hours before noon.
    package func start(ofDay day: Int) -> Int64 {
        let place = day - firstDay
        guard starts.indices.contains(place) else {
            return zone.serviceDayStart(CivilDate(dayNumber: day)).secondsSinceEpoch
        }
        return starts[place]
    }

    /// Whether a service runs on a day.
    @inline(__always)
    package func isActive(_ service: Int32, onDay day: Int) -> Bool {
        let place = day - firstDay
        guard active.indices.contains(place) else {
            return services.isActive(
                ServiceIndex(Int(service)), on: CivilDate(dayNumber: day))
        }
        return active[place][Int(service)]
    }

    /// The day on the wall clock at a moment, as ``CivilDate/dayNumber``.
    package func day(at seconds: Int64) -> Int {
        // The days at hand begin at midnight or an hour from it: a look at the clock is dear.
        let place = starts.partitionPoint { $0 > seconds } - 1
        guard place >= 1, place < starts.count - 1, seconds - starts[place] >= 3600,
            starts[place + 1] - seconds > 3600
        else {
            return zone.civil(at: Timestamp(secondsSinceEpoch: seconds)).date.dayNumber
        }
        return firstDay + place
    }
}
