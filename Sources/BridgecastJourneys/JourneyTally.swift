// Counts journeys one by one, in order of their start, and makes statistics of the counts.
import BridgecastCore
import Foundation

/// The sums that statistics are made of.
struct JourneyTally {
    private(set) var firstStart: Timestamp?
    private var calendar: JourneyCalendar
    private let thresholdSeconds: Int64

    private var count = 0
    private var abandoned = 0
    /// Seconds.
    private var delays: [Int64] = []
    private var hours = [Int](repeating: 0, count: 24)
    private var weekdays = [Int](repeating: 0, count: 7)
    /// Counts by consecutive month, from ``firstMonth`` on.
    private var months: [Int] = []
    private var firstMonth = 0
    /// The month of ``monthDay``: most journeys are of the day of the one before.
    private var month = 0
    private var monthDay = Int.min
    private var routes: [Route] = []
    private var routeNumbers: [String: Int] = [:]
    private var forecasts = Forecasts()

    private struct Route {
        let id: String
        /// The position of its last journey, whose name it has: to take the name of each would cost more than counting.
        var last: Int
        let firstDay: Int
        var lastDay: Int
        var days = 1
        var journeys = 0
        var arrived = 0
        var onTime = 0
        var delaySeconds: Int64 = 0
        var lastUsed: Timestamp
    }

    private struct Forecasts {
        var journeys = 0
        var errorSeconds = 0.0
        var absoluteErrorSeconds = 0.0
        var withinP90 = 0
        var stopsKnown = 0
        var stopped = 0
        var squares = 0.0
    }

    init(_ zone: TimeZone, thresholdSeconds: Int64) {
        calendar = JourneyCalendar(zone)
        self.thresholdSeconds = thresholdSeconds
    }

    /// Counts the journeys that began within a range.
    ///
    /// They are read in place: a copy counts references to the texts of each.
    ///
    /// - Returns: Whether they are in order; where they are not, the counts are of no use.
    mutating func add(
        _ journeys: [Journey], from first: Timestamp?, through end: Timestamp
    ) -> Bool {
        let journeys = journeys.span
        var last = Timestamp.earliest
        for position in journeys.indices {
            let start = journeys[position].start
            guard start >= last else { return false }
            last = start
            if start <= end, first.map({ start >= $0 }) ?? true {
                add(journeys[position], at: position)
            }
        }
        return true
    }

    private mutating func add(_ journey: Journey, at position: Int) {
        let start = journey.start
        let civil = calendar.civil(at: start)
        if firstStart == nil { firstStart = start }
        count += 1
        if journey.isAbandoned { abandoned += 1 }
        hours[civil.hour] += 1
        // 1970-01-01 was a Thursday.
        weekdays[(civil.day + 3) % 7] += 1
        countMonth(of: civil.day)
        let number = routeNumber(of: journey, on: civil.day)
        if civil.day != routes[number].lastDay {
            routes[number].days += 1
            routes[number].lastDay = civil.day
        }
        routes[number].journeys += 1
        routes[number].lastUsed = start
        routes[number].last = position
        guard let delay = journey.delaySeconds else { return }
        delays.append(delay)
        routes[number].arrived += 1
        routes[number].delaySeconds += delay
        if delay <= thresholdSeconds { routes[number].onTime += 1 }
        if let forecast = journey.forecast { add(forecast, of: journey) }
    }

    private mutating func countMonth(of day: Int) {
        if day != monthDay {
            let parts = CivilDate(dayNumber: day).parts
            month = parts.year * 12 + parts.month - 1
            monthDay = day
        }
        if months.isEmpty { firstMonth = month }
        while months.count <= month - firstMonth { months.append(0) }
        months[month - firstMonth] += 1
    }

    private mutating func routeNumber(of journey: Journey, on day: Int) -> Int {
        if let number = routeNumbers[journey.route] { return number }
        routeNumbers[journey.route] = routes.count
        routes.append(
            Route(
                id: journey.route, last: 0, firstDay: day, lastDay: day,
                lastUsed: journey.start))
        return routes.count - 1
    }

    private mutating func add(_ forecast: JourneyForecast, of journey: Journey) {
        guard let travel = journey.travelSeconds else { return }
        let error = Double(travel) - forecast.expectedSeconds
        forecasts.journeys += 1
        forecasts.errorSeconds += error
        forecasts.absoluteErrorSeconds += abs(error)
        if Double(travel) <= forecast.p90Seconds { forecasts.withinP90 += 1 }
        // Without a drawbridge the chance is 0, which is no achievement.
        guard let wasStopped = journey.wasStopped, !forecast.bridges.isEmpty else { return }
        let difference = forecast.probabilityStopped - (wasStopped ? 1 : 0)
        forecasts.stopsKnown += 1
        forecasts.stopped += wasStopped ? 1 : 0
        forecasts.squares += difference * difference
    }

    // MARK: Results

    /// Writes the figures; the delays are reordered.
    ///
    /// - Parameter journeys: Those that were counted.
    mutating func finish(_ statistics: inout JourneyStatistics, of journeys: [Journey]) {
        statistics.journeys = count
        statistics.arrived = delays.count
        statistics.abandoned = abandoned
        statistics.hourlyPattern = hours
        statistics.weeklyPattern = weekdays
        statistics.monthlyTrend = months.enumerated().map { offset, count in
            let month = firstMonth + offset
            let digits = month % 12 + 1
            return JourneyStatistics.MonthCount(
                month: "\(month / 12)-\(digits < 10 ? "0" : "")\(digits)", journeys: count)
        }
        if !delays.isEmpty {
            let sum = delays.reduce(0, +)
            statistics.meanDelayMinutes = Double(sum) / Double(delays.count) / 60
            statistics.medianDelayMinutes = Median.value(of: &delays) / 60
        }
        let lastDay = calendar.civil(at: statistics.until).day
        statistics.routes = routes.map { route in
            Self.statistics(of: route, name: journeys[route.last].name, until: lastDay)
        }
        .sorted { ($1.journeys, $0.name, $0.id) < ($0.journeys, $1.name, $1.id) }
        statistics.forecasts = accuracy
    }

    private static func statistics(
        of route: Route, name: String, until lastDay: Int
    ) -> RouteStatistics {
        RouteStatistics(
            id: route.id, name: name, journeys: route.journeys, arrived: route.arrived,
            onTime: route.onTime,
            meanDelayMinutes: route.arrived > 0
                ? Double(route.delaySeconds) / Double(route.arrived) / 60 : nil,
            frequency: UsageFrequency(
                days: route.days, span: max(lastDay, route.lastDay) - route.firstDay + 1),
            lastUsed: route.lastUsed)
    }

    private var accuracy: ForecastAccuracy? {
        guard forecasts.journeys > 0 else { return nil }
        let count = Double(forecasts.journeys)
        return ForecastAccuracy(
            journeys: forecasts.journeys, meanErrorMinutes: forecasts.errorSeconds / count / 60,
            meanAbsoluteErrorMinutes: forecasts.absoluteErrorSeconds / count / 60,
            withinP90: forecasts.withinP90, stopsKnown: forecasts.stopsKnown,
            stopped: forecasts.stopped,
            brierScore: forecasts.stopsKnown > 0
                ? forecasts.squares / Double(forecasts.stopsKnown) : nil)
    }
}

/// The median without sorting.
enum Median {
    /// The median; of an even number of values the mean of both in the middle.
    ///
    /// The values are reordered.
    ///
    /// - Precondition: There is a value.
    /// - Complexity: O(n) on average.
    static func value(of values: inout [Int64]) -> Double {
        let upper = values.count / 2
        select(upper, in: &values)
        guard values.count % 2 == 0 else { return Double(values[upper]) }
        let lower = values[..<upper].max() ?? values[upper]
        return (Double(lower) + Double(values[upper])) / 2
    }

    /// Puts the value of a rank where sorting would, with smaller ones before it.
    ///
    /// Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961).
    private static func select(_ rank: Int, in values: inout [Int64]) {
        var first = 0
        var last = values.count - 1
        while first < last {
            let pivot = values[first + (last - first) / 2]
            var left = first
            var right = last
            while left <= right {
                while values[left] < pivot { left += 1 }
                while values[right] > pivot { right -= 1 }
                if left <= right {
                    values.swapAt(left, right)
                    left += 1
                    right -= 1
                }
            }
            if rank <= right { last = right } else if rank >= left { first = left } else { return }
        }
    }
}
