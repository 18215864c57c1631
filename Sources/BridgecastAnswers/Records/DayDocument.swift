// A day as it was: when each bridge was watched and open, and what was forecast; the answer of `/days/{date}`.
package import BridgecastCore

/// A day's states and the forecasts of it.
package struct DayDocument: Sendable, JSONAnswer {
    /// A forecast that was made at a moment.
    package struct Issue: Sendable, Equatable {
        /// When.
        package let issueTime: Timestamp
        /// By lead, in order.
        package let points: [Point]
    }

    /// A forecast of one arrival.
    package struct Point: Sendable, Equatable {
        /// Minutes from the issue time.
        package let leadMinutes: Double
        /// The chance of any delay, 0...1.
        package let probability: Double
        /// The delay on average, seconds.
        package let expectedSeconds: Double
    }

    /// A bridge on the day.
    package struct Entry: Sendable, Equatable {
        /// The bridge.
        package let bridge: BridgeIndex
        /// When its records are complete.
        package let coverage: [Range<Timestamp>]
        /// Its openings that overlap the day.
        package let openings: [KnownOpening]
        /// Forecasts in order of their issue times.
        package let issues: [Issue]
    }

    /// What the answer begins with.
    package let envelope: Envelope
    /// The day in Seattle.
    package let date: CivilDate
    /// What is told of it: the whole, or up to now.
    package let interval: Range<Timestamp>
    /// Whether forecasts were asked for.
    package let hasForecasts: Bool
    /// All bridges.
    package let entries: [Entry]

    /// Whether there are records of any bridge.
    package var isCovered: Bool { entries.contains { !$0.coverage.isEmpty } }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            json.field("date", "\(date)")
            json.field("from", interval.lowerBound)
            json.field("to", interval.upperBound)
            json.field("covered", isCovered)
            if hasForecasts { json.field("issued", "recomputed by the model in use") }
            json.list("bridges", entries) { write($1, to: &$0) }
        }
    }

    private func write(_ entry: Entry, to json: inout JSONWriter) {
        json.object { json in
            let bridge = BridgeCatalogue[entry.bridge]
            json.field("bridge", bridge.name)
            json.field("bridge_id", bridge.id.rawValue)
            json.list("coverage", entry.coverage) { json, period in
                json.object { json in
                    json.field("from", period.lowerBound)
                    json.field("to", period.upperBound)
                }
            }
            json.list("openings", entry.openings) { json, opening in
                json.object { json in
                    json.field("opened_at", opening.start)
                    json.field("closed_at", opening.end)
                }
            }
            guard hasForecasts else { return }
            json.list("forecasts", entry.issues) { json, issue in
                json.object { json in
                    json.field("issue_time", issue.issueTime)
                    json.list("points", issue.points) { json, point in
                        json.object { json in
                            json.field(
                                "valid_time", issue.issueTime.adding(minutes: point.leadMinutes))
                            json.field("lead_time_s", point.leadMinutes * 60, decimals: 0)
                            json.field("probability_stopped", point.probability, decimals: 5)
                            json.field("expected_delay_s", point.expectedSeconds, decimals: 1)
                        }
                    }
                }
            }
        }
    }
}
