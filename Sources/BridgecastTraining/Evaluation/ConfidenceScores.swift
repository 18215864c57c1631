// How well the forecasts of each confidence are calibrated: a line of the table by confidence.
package import BridgecastCore

/// Calibration and skill of the forecasts that carry one confidence, leads 2 to 60 minutes together.
package struct ConfidenceScores: Sendable, Codable, Equatable {
    /// What the forecasts were made with.
    package enum Knowledge: String, Sendable, Codable {
        /// What was known at the time.
        case asForecast = "as_forecast"
        /// The rows of HIGH, forecast as if nothing were known of any bridge's present and past hours.
        case stateHidden = "state_hidden"
        /// The rows of bridges that the fit never saw.
        case bridgeLeftOut = "bridge_left_out"
    }

    /// What the forecasts were made with.
    package let knowledge: Knowledge
    /// The confidence that they carry.
    package let confidence: Confidence
    /// Rows.
    package let rows: Int
    /// Share of rows that were blocked, 0...1.
    package let blockedRate: Double
    /// Mean of the model's P(blocked), 0...1.
    package let meanForecast: Double
    /// Mean |told - happened| over ten bins of equally many rows, 0...1.
    package let calibrationError: Estimate
    /// The same as a share of the mean forecast: what confidences are compared by, for their chances differ.
    package let relativeCalibrationError: Estimate
    /// Slope of calibration, best 1; nil if the event always or never happened.
    package let calibrationSlope: Estimate?
    /// 1 - log loss / log loss of climatology.
    package let skill: Estimate

    /// Scores a group of rows; nil if it is empty.
    init?(_ rows: ScoredRows, _ group: [Int], _ knowledge: Knowledge, _ confidence: Confidence) {
        guard !group.isEmpty else { return nil }
        let forecasts = rows.probabilities[.model] ?? []
        let byDay = DayRows(rows, group)
        let count = Double(group.count)
        (self.knowledge, self.confidence) = (knowledge, confidence)
        self.rows = group.count
        blockedRate = Double(group.count { rows.blocked[$0] }) / count
        meanForecast = group.reduce(0) { $0 + Double(forecasts[$1]) } / count
        calibrationError = byDay.calibrationError()
        relativeCalibrationError = byDay.relativeCalibrationError()
        calibrationSlope = byDay.calibrationSlope()
        skill = GroupScorer(rows).logLossSkill(of: group)
    }

    /// The scores of each confidence that occurs, the highest first; then HIGH's rows again with the state hidden.
    ///
    /// - Parameters:
    ///   - rows: Rows as forecast.
    ///   - hidden: The same rows forecast with the state hidden, in the same order; nil leaves them out.
    package static func table(_ rows: ScoredRows, hidden: ScoredRows? = nil) -> [ConfidenceScores] {
        let counted = rows.rowsAhead
        func group(_ confidence: Confidence) -> [Int] {
            counted.filter { rows.confidences[$0] == confidence }
        }
        var table = [Confidence.high, .medium, .low].compactMap {
            ConfidenceScores(rows, group($0), .asForecast, $0)
        }
        if let hidden, hidden.count == rows.count {
            // Too few days of records stay LOW; HIGH has enough of them.
            table += [ConfidenceScores(hidden, group(.high), .stateHidden, .medium)]
                .compactMap(\.self)
        }
        return table
    }

    /// The scores of bridges that the fits never saw, all together; nil without rows.
    ///
    /// - Parameter rows: Rows whose forecasts carry LOW; others are left out.
    package static func leftOut(_ rows: ScoredRows) -> ConfidenceScores? {
        ConfidenceScores(
            rows, rows.rowsAhead.filter { rows.confidences[$0] == .low },
            .bridgeLeftOut, .low)
    }
}
