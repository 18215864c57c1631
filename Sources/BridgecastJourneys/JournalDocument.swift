// A journal as a document: JSON with journeys, favourites and reminders, or CSV with journeys alone.
import BridgecastCore
package import BridgecastSupport

/// The fields of a journey in documents, in their order.
enum JourneyField: String, CaseIterable, CodingKey, Sendable {
    case id, route, name, mode
    case plannedDeparture = "planned_departure"
    case plannedArrival = "planned_arrival"
    case actualDeparture = "actual_departure"
    case actualArrival = "actual_arrival"
    case abandoned, stopped, way
    case expectedSeconds = "expected_s"
    case p90Seconds = "p90_s"
    case probabilityStopped = "probability_stopped"
    case bridges
    case expectedDelaySeconds = "expected_delay_s"
    case createdAt = "created_at"
}

/// The fields of a favourite in documents, in their order; those of a trip and of a stop are null in the other.
enum FavouriteField: String, CaseIterable, CodingKey, Sendable {
    case id, name, kind, from, to, mode, line, stop, direction
    case refreshMinutes = "refresh_min"
    case lastUsed = "last_used_at"
    case useCount = "use_count"
    case averageSeconds = "average_s"
}

/// The fields of a reminder in documents, in their order.
enum ReminderField: String, CaseIterable, CodingKey, Sendable {
    case id
    case favourite = "favourite_id"
    case time, days, zone, confidence
    case leadSeconds = "lead_s"
    case walkSeconds = "walk_s"
    case isOn = "on"
}

extension JournalContents {
    /// The name of the format, in each JSON document.
    static let format = "bridgecast-journal"
    /// The version of the format that is written, and the newest that is read.
    public static let version = 2
    /// How many journeys a document may have.
    public static let maxEntries = JourneyStore.largestMaxJourneys
    /// How long a document may be, bytes.
    public static let maxBytes = 64 << 20

    /// The journeys as CSV with a header; times in RFC 3339, bridges joined by `+`.
    public var csv: String {
        let header = JourneyField.allCases.map(\.rawValue).joined(separator: ",")
        return ([header] + journeys.map(Self.line)).map { $0 + "\n" }.joined()
    }

    private static func line(_ journey: Journey) -> String {
        JourneyField.allCases.map { csvField(text($0, of: journey) ?? "") }.joined(separator: ",")
    }

    private static func text(_ field: JourneyField, of journey: Journey) -> String? {
        switch field {
        case .id: journey.id
        case .route: journey.route
        case .name: journey.name
        case .mode: journey.mode.rawValue
        case .plannedDeparture: TimeText.rfc3339(journey.plannedDeparture)
        case .plannedArrival: TimeText.rfc3339(journey.plannedArrival)
        case .actualDeparture: journey.actualDeparture.map(TimeText.rfc3339)
        case .actualArrival: journey.actualArrival.map(TimeText.rfc3339)
        case .abandoned: journey.isAbandoned ? "true" : "false"
        case .stopped: journey.wasStopped.map { $0 ? "true" : "false" }
        case .way: journey.forecast?.way
        case .expectedSeconds: journey.forecast.map { plainNumber($0.expectedSeconds) }
        case .p90Seconds: journey.forecast.map { plainNumber($0.p90Seconds) }
        case .probabilityStopped: journey.forecast.map { plainNumber($0.probabilityStopped) }
        case .bridges: journey.forecast.map { BridgeListText.text($0.bridges) }
        case .expectedDelaySeconds: journey.forecast?.expectedDelaySeconds.map(plainNumber)
        case .createdAt: TimeText.rfc3339(journey.createdAt)
        }
    }
}

extension JournalContents: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("format", Self.format)
        json.field("version", Self.version)
        json.list("journeys", journeys)
        json.list("favourites", favourites)
        json.list("reminders", reminders)
    }
}

extension Reminder: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("id", id)
        json.field("favourite_id", favourite)
        json.field("time", clock)
        json.field("days", weekdays.text)
        json.field("zone", zone)
        json.field("confidence", confidence, decimals: 9)
        json.field("lead_s", leadSeconds)
        json.field("walk_s", walkSeconds)
        json.field("on", isOn)
    }
}

extension Journey: JSONObjectAnswer {
    /// The fields of an export; seconds to a thousandth and probabilities to a millionth.
    package func writeFields(into json: inout JSONWriter) {
        json.field("id", id)
        json.field("route", route)
        json.field("name", name)
        json.field("mode", mode.rawValue)
        json.field("planned_departure", TimeText.rfc3339(plannedDeparture))
        json.field("planned_arrival", TimeText.rfc3339(plannedArrival))
        json.field("actual_departure", actualDeparture.map(TimeText.rfc3339))
        json.field("actual_arrival", actualArrival.map(TimeText.rfc3339))
        json.field("abandoned", isAbandoned)
        json.field("stopped", wasStopped)
        json.field("way", forecast?.way)
        json.field("expected_s", forecast?.expectedSeconds, decimals: 3)
        json.field("p90_s", forecast?.p90Seconds, decimals: 3)
        json.field("probability_stopped", forecast?.probabilityStopped, decimals: 6)
        if let forecast {
            json.list("bridges", forecast.bridges.map { BridgeCatalogue[$0].name })
        } else {
            json.null("bridges")
        }
        json.field("expected_delay_s", forecast?.expectedDelaySeconds, decimals: 3)
        json.field("created_at", TimeText.rfc3339(createdAt))
    }
}

extension Favourite: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("id", id)
        json.field("name", name)
        json.field("kind", target.kind)
        switch target {
        case .trip(let from, let to, let mode):
            json.field("from", from)
            json.field("to", to)
            json.field("mode", mode.rawValue)
        case .stop(let line, let stop, let direction):
            json.field("line", line)
            json.field("stop", stop)
            json.field("direction", direction)
        }
        json.field("refresh_min", refresh.rawValue)
        json.field("last_used_at", lastUsed.map(TimeText.rfc3339))
        json.field("use_count", useCount)
        json.field("average_s", averageSeconds, decimals: 3)
    }
}

// MARK: - Statistics

extension JourneyStatistics: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("range", range.rawValue)
        json.field("from", from.map(TimeText.rfc3339))
        json.field("until", TimeText.rfc3339(until))
        json.field("threshold_min", thresholdMinutes, decimals: 2)
        json.field("journeys", journeys)
        json.field("arrived", arrived)
        json.field("abandoned", abandoned)
        json.field("mean_delay_min", meanDelayMinutes, decimals: 2)
        json.field("median_delay_min", medianDelayMinutes, decimals: 2)
        json.list("hourly_pattern", hourlyPattern) { $0.value($1) }
        json.list("peak_hours", peakHours) { $0.value($1) }
        json.list("weekly_pattern", weeklyPattern) { $0.value($1) }
        json.list("monthly_trend", objects: monthlyTrend) { json, month in
            json.field("month", month.month)
            json.field("journeys", month.journeys)
        }
        json.field("busiest_route", busiestRoute?.id)
        json.list("routes", routes)
        json.field("forecasts", document: forecasts)
    }
}

extension RouteStatistics: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("route", id)
        json.field("name", name)
        json.field("journeys", journeys)
        json.field("arrived", arrived)
        json.field("on_time", onTime)
        json.field("mean_delay_min", meanDelayMinutes, decimals: 2)
        json.field("reliability", reliability, decimals: 4)
        json.field("reliability_lower_bound", reliabilityLowerBound, decimals: 4)
        json.field("frequency", frequency.rawValue)
        json.field("last_used_at", TimeText.rfc3339(lastUsed))
    }
}

extension ForecastAccuracy: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("journeys", journeys)
        json.field("mean_error_min", meanErrorMinutes, decimals: 2)
        json.field("mean_absolute_error_min", meanAbsoluteErrorMinutes, decimals: 2)
        json.field("p90_coverage", p90Coverage, decimals: 4)
        json.field("stops_known", stopsKnown)
        json.field("stopped", stopped)
        json.field("brier_score", brierScore, decimals: 4)
        json.field("reference_brier_score", referenceBrierScore, decimals: 4)
        json.field("brier_skill", brierSkill, decimals: 4)
    }
}

extension LearnedAccuracy: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("route", route)
        json.field("name", name)
        json.field("journeys", journeys)
        json.field("left_out", leftOut)
        json.object("forecast") { forecast.writeFields(into: &$0) }
        json.object("learned") { learned.writeFields(into: &$0) }
        json.field("learned_from", pace.journeys)
        json.field("outliers", pace.outliers)
        json.field("change", change, decimals: 4)
    }
}

extension LearnedAccuracy.Figures: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.field("mean_absolute_error_min", meanAbsoluteErrorMinutes, decimals: 3)
        json.field("p90_coverage", p90Coverage, decimals: 4)
        json.field("p90_loss_min", p90LossMinutes, decimals: 4)
    }
}
