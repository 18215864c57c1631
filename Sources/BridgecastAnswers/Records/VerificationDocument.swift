// Verification as JSON: scores of the forecasts that were issued; `/verification` and `bridgecast verify`.
internal import BridgecastCore
package import BridgecastData
package import BridgecastSupport

package struct VerificationDocument: Sendable, JSONObjectAnswer {
    private let envelope: Envelope
    private let report: VerificationReport

    /// Also printed by `verify`.
    package static let replayWarning =
        "the forecasts are of a replay: where the model was fitted to these days they look better than they are"

    package init(_ report: VerificationReport, _ envelope: Envelope) {
        self.report = report
        var envelope = envelope
        if report.isReplay { envelope.warnings.append(Self.replayWarning) }
        if report.drift?.outcome == .worse {
            envelope.warnings.append(
                "the forecasts of the last complete fortnight are worse than the published evaluation"
            )
        }
        self.envelope = envelope
    }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.field("scored_at", report.madeAt)
        json.field("oldest_issue_time", report.issueTimes?.lowerBound)
        json.field("newest_issue_time", report.issueTimes?.upperBound)
        json.field("replay", report.isReplay)
        json.list("windows", report.windows.map(WindowEntry.init))
        if let drift = report.drift {
            json.field("drift", DriftEntry(drift: drift))
        } else {
            json.null("drift")
        }
    }
}

private struct WindowEntry: JSONObjectAnswer {
    let window: VerificationReport.Window

    func writeFields(into json: inout JSONWriter) {
        json.field("days", window.days)
        json.field("total", ScoresEntry(sums: window.total))
        json.list(
            "by_lead",
            zip(ArchivedIssue.leadsMinutes, window.byLead).map { lead, sums in
                NamedScores(sums: sums) { $0.field("lead_min", lead, decimals: 0) }
            })
        json.list(
            "by_bridge",
            zip(BridgeIndex.all, window.byBridge).map { bridge, sums in
                NamedScores(sums: sums) { $0.fields(of: bridge) }
            })
        json.list(
            "by_model",
            window.byModel.map { model, sums in
                NamedScores(sums: sums) { json in
                    json.field("file", printable(model.file, maxLength: 100))
                    json.field("sha256", model.sha256.isEmpty ? nil : model.sha256)
                }
            })
    }
}

/// Scores of a group, headed by its name.
private struct NamedScores: JSONObjectAnswer {
    let sums: ScoreSums
    let name: (inout JSONWriter) -> Void

    func writeFields(into json: inout JSONWriter) {
        name(&json)
        ScoresEntry(sums: sums).writeFields(into: &json)
    }
}

private struct ScoresEntry: JSONObjectAnswer {
    let sums: ScoreSums

    func writeFields(into json: inout JSONWriter) {
        json.field("cases", sums.scored)
        json.field("pending", sums.pending)
        json.field("uncovered", sums.uncovered)
        json.field("raised", EventEntry(sums: sums.raised))
        json.field("stopped", EventEntry(sums: sums.stopped))
        json.field("delays", sums.delays)
        json.list(
            "delay_coverage",
            zip(ScoreSums.levels, sums.delayCoverage ?? []).map(QuantileEntry.init))
    }
}

private struct QuantileEntry: JSONObjectAnswer {
    let quantile: Double
    let share: Double

    func writeFields(into json: inout JSONWriter) {
        json.field("quantile", quantile, decimals: 2)
        json.field("observed_frequency", share, decimals: 5)
    }
}

private struct EventEntry: JSONObjectAnswer {
    let sums: EventSums

    func writeFields(into json: inout JSONWriter) {
        json.field("rate", sums.rate, decimals: 5)
        json.field("log_loss", sums.meanLogLoss, decimals: 6)
        json.field("brier_score", sums.brierScore, decimals: 6)
        json.field("log_loss_skill", sums.logLossSkill, decimals: 5)
        json.field("brier_skill", sums.brierSkill, decimals: 5)
        json.field("calibration_error", sums.calibrationError, decimals: 5)
        json.list(
            "reliability",
            zip(EventSums.edges, EventSums.edges.dropFirst() + [1]).enumerated()
                .filter { sums.bins[$0.offset].rows > 0 }
                .map { BinEntry(range: $0.element, bin: sums.bins[$0.offset]) })
    }
}

private struct BinEntry: JSONObjectAnswer {
    let range: (from: Double, to: Double)
    let bin: EventSums.Bin

    func writeFields(into json: inout JSONWriter) {
        let rows = Double(max(1, bin.rows))
        json.field("from", range.from, decimals: 3)
        json.field("to", range.to, decimals: 3)
        json.field("cases", bin.rows)
        json.field("forecast_probability", bin.forecast / rows, decimals: 5)
        json.field("observed_frequency", Double(bin.happened) / rows, decimals: 5)
    }
}

private struct DriftEntry: JSONObjectAnswer {
    let drift: DriftTest.Result

    func writeFields(into json: inout JSONWriter) {
        json.field("outcome", drift.outcome.rawValue)
        json.field("from", "\(drift.from)")
        json.field("to", "\(drift.from.adding(days: DriftTest.blockDays - 1))")
        json.field("days", drift.days)
        json.field("log_loss_skill", drift.skill, decimals: 5)
        json.field("expected_log_loss_skill", drift.expectedSkill, decimals: 5)
        json.field("p_value", drift.pValue, decimals: 6)
        json.field("false_alarm_rate", DriftTest.falseAlarmRate, decimals: 4)
    }
}
