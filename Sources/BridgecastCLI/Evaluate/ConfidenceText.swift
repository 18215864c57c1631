// Calibration by confidence as a table: in the text of `evaluate`, its page, and the model card.
import BridgecastCore
import BridgecastTraining

enum ConfidenceText {
    /// What the table compares, in one sentence.
    static let measure =
        "error: mean |told - happened| over ten bins; confidences are compared by its share of the "
        + "mean told, for their chances differ; slope: best 1, below it too extreme"

    /// The table for a terminal.
    static func table(_ lines: [ConfidenceScores]) -> String {
        var table = TextTable(columns, [.left] + columns.dropFirst().map { _ in .right })
        for line in lines { table.add(cells(line)) }
        return table.text()
    }

    /// The table in Markdown.
    static func markdown(_ lines: [ConfidenceScores]) -> String {
        ([columns, columns.map { _ in "---" }] + lines.map(cells))
            .map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static let columns = [
        "confidence", "rows", "blocked", "told", "error", "error / told", "95 % interval", "slope",
        "95 % interval", "skill", "95 % interval",
    ]

    private static func cells(_ line: ConfidenceScores) -> [String] {
        let relative = line.relativeCalibrationError
        return [
            name(line), String(line.rows), percent(line.blockedRate), percent(line.meanForecast),
            "\(fixed(line.calibrationError.value * 100, 2)) pp", fixed(relative.value, 3),
            EvaluationText.interval(relative),
            line.calibrationSlope.map { fixed($0.value, 3) } ?? "-",
            line.calibrationSlope.map { EvaluationText.interval($0) } ?? "-",
            fixed(line.skill.value, 3), EvaluationText.interval(line.skill),
        ]
    }

    private static func name(_ line: ConfidenceScores) -> String {
        switch line.knowledge {
        case .asForecast: line.confidence.rawValue
        case .stateHidden: "\(line.confidence.rawValue): HIGH's rows, state hidden"
        case .bridgeLeftOut: "\(line.confidence.rawValue): bridges left out"
        }
    }
}
