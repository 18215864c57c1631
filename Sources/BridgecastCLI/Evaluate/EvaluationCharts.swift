// The pictures of `evaluate --report` as SVG: reliability, skill by lead, bridge and hour, sharpness.
import BridgecastTraining
import Foundation

enum EvaluationCharts {
    /// The pictures with the names of their files.
    static func all(_ report: EvaluationReport) -> [(name: String, caption: String, svg: String)] {
        [
            (
                "reliability",
                "Each dot is a tenth of all forecasts. On the dashed line, forecasts of p "
                    + "came true p of the time; dots on the lower edge never did.",
                reliability(report)
            ),
            (
                "skill-by-lead",
                "1 - log loss / log loss of climatology: 0 is climatology, 1 would be perfect. Bars "
                    + "are 95 % intervals over resampled days; values below -0.25 are drawn there.",
                skillByLead(report)
            ),
            (
                "skill-by-bridge",
                "The skill of the chance of being stopped by bridge, leads 2 to 60 minutes together.",
                bars(
                    "Skill by bridge", axis: "",
                    report.byBridge.map { ($0.bridge, $0.scores.stopped.modelSkill) })
            ),
            (
                "skill-by-hour",
                "The same by civil hour of the arrival. At night there are few openings, and the "
                    + "intervals are wide.",
                bars(
                    "Skill by hour", axis: "hour of arrival, Seattle time",
                    report.byHour.map { ($0.name, $0.scores.stopped.modelSkill) })
            ),
            (
                "sharpness",
                "Forecasts by range. A sharp forecast is far from the middle: more near zero, and "
                    + "some far above any of climatology.",
                sharpness(report)
            ),
        ]
    }

    private static func reliability(_ report: EvaluationReport) -> String {
        let ticks = [
            (1e-4, "0.01 %"), (1e-3, "0.1 %"), (1e-2, "1 %"), (0.1, "10 %"), (1, "100 %"),
        ]
        func axis(_ title: String) -> SVGChart.Axis {
            .init(title: title, range: 1e-4...1, ticks: ticks, isLogarithmic: true)
        }
        var chart = SVGChart(
            title: "Reliability of the chance of being stopped", x: axis("forecast"),
            y: axis("happened"))
        chart.line([(1e-4, 1e-4), (1, 1)], colour: "#999", isDashed: true)
        for bin in report.reliability {
            chart.dot(bin.meanForecast, bin.frequency, colour: SVGChart.colours[0])
        }
        return chart.svg()
    }

    private static func skillByLead(_ report: EvaluationReport) -> String {
        let leads = report.byLead.filter { $0.leadMinutes > 0 }
        var chart = SVGChart(
            title: "Skill by lead time: raised on arrival",
            x: .init(
                title: "lead time, minutes", range: -0.4...Double(leads.count) - 0.6,
                ticks: leads.enumerated().map {
                    (Double($0.offset), "\(Int($0.element.leadMinutes))")
                }),
            y: .init(
                title: "log-loss skill over climatology", range: -0.25...0.65,
                ticks: skillTicks(-0.2, 0.6)))
        let forecasters = Forecaster.allCases.filter { $0 != .climatology }
        for (index, forecaster) in forecasters.enumerated().reversed() {
            let points = leads.enumerated().compactMap { index, lead in
                lead.scores.raised.skill[forecaster.rawValue].map {
                    (x: Double(index), y: $0.value)
                }
            }
            guard !points.isEmpty else { continue }
            chart.line(
                points, colour: SVGChart.colours[index], name: forecaster.title,
                width: forecaster == .model ? 3 : 1.5)
        }
        for (index, lead) in leads.enumerated() {
            let skill = lead.scores.raised.modelSkill
            chart.whisker(
                Double(index), low: skill.low, high: skill.high, colour: SVGChart.colours[0])
        }
        return chart.svg()
    }

    private static func bars(
        _ title: String, axis axisTitle: String, _ skills: [(name: String, skill: Estimate)]
    ) -> String {
        var chart = SVGChart(
            title: title,
            x: .init(
                title: axisTitle, range: -0.6...Double(skills.count) - 0.4,
                ticks: skills.enumerated().map { (Double($0.offset), $0.element.name) }),
            y: .init(
                title: "log-loss skill over climatology", range: -0.2...0.6,
                ticks: skillTicks(-0.2, 0.6)))
        for (index, entry) in skills.enumerated() {
            let at = Double(index)
            chart.bar(at - 0.35...at + 0.35, entry.skill.value, colour: SVGChart.colours[5])
            chart.whisker(
                at, low: entry.skill.low, high: entry.skill.high, colour: SVGChart.colours[0])
        }
        return chart.svg()
    }

    private static func sharpness(_ report: EvaluationReport) -> String {
        let bins = report.sharpness
        let highest = Double(bins.map { max($0.modelRows, $0.climatologyRows) }.max() ?? 1)
        let ticks = (0...6).map { power in
            (value: (0..<power).reduce(1.0) { value, _ in value * 10 }, label: "1e\(power)")
        }
        var chart = SVGChart(
            title: "Sharpness",
            x: .init(
                title: "chance of being stopped, percent, from",
                range: -0.6...Double(bins.count) - 0.4,
                ticks: bins.enumerated().map {
                    (Double($0.offset), number($0.element.from * 100))
                }),
            y: .init(
                title: "forecasts", range: 1...max(10, highest * 1.5),
                ticks: ticks.filter { $0.value <= highest * 1.5 }, isLogarithmic: true))
        for (index, bin) in bins.enumerated() {
            let at = Double(index)
            chart.bar(at - 0.38...at, Double(bin.modelRows), colour: SVGChart.colours[0])
            chart.bar(at...at + 0.38, Double(bin.climatologyRows), colour: SVGChart.colours[6])
        }
        chart.name("model", colour: SVGChart.colours[0])
        chart.name("climatology", colour: SVGChart.colours[6])
        return chart.svg()
    }

    private static func skillTicks(
        _ low: Double, _ high: Double
    ) -> [(value: Double, label: String)] {
        stride(from: low, through: high + 1e-9, by: 0.1).map { value in
            let value = (value * 10).rounded() / 10
            return (value, fixed(value == 0 ? 0 : value, 1))
        }
    }

    private static func number(_ value: Double) -> String {
        let text = fixed(value, 2)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }
}

// MARK: - Drawing

/// A chart; coordinates are those of its axes.
struct SVGChart {
    struct Axis {
        let title: String
        let range: ClosedRange<Double>
        let ticks: [(value: Double, label: String)]
        var isLogarithmic = false

        /// The relative position of a value, 0...1; values beyond the ends are drawn there.
        func position(_ value: Double) -> Double {
            let value = min(max(value, range.lowerBound), range.upperBound)
            let scale: (Double) -> Double = isLogarithmic ? { log10($0) } : { $0 }
            return (scale(value) - scale(range.lowerBound))
                / (scale(range.upperBound) - scale(range.lowerBound))
        }
    }

    /// Colours that remain distinct to colour-blind eyes (Okabe and Ito).
    static let colours = [
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#777777",
    ]

    private static let width = 680.0
    private static let height = 400.0
    private static let left = 70.0
    private static let right = 20.0
    private static let top = 44.0
    private static let bottom = 58.0

    private let title: String
    private let x: Axis
    private let y: Axis
    private var marks: [String] = []
    private var legend: [(name: String, colour: String)] = []

    init(title: String, x: Axis, y: Axis) {
        self.title = title
        self.x = x
        self.y = y
    }

    /// A line through points in order, with dots on them unless it is dashed.
    mutating func line(
        _ points: [(x: Double, y: Double)], colour: String, name: String? = nil,
        isDashed: Bool = false,
        width: Double = 2
    ) {
        let path = points.map { "\(text(px($0.x))),\(text(py($0.y)))" }.joined(separator: " ")
        let dash = isDashed ? " stroke-dasharray=\"5 4\"" : ""
        marks.append(
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" "
                + "stroke-width=\"\(text(width))\"\(dash)/>")
        if !isDashed { for point in points { dot(point.x, point.y, colour: colour) } }
        if let name { legend.append((name, colour)) }
    }

    mutating func dot(_ xValue: Double, _ yValue: Double, colour: String) {
        marks.append(
            "<circle cx=\"\(text(px(xValue)))\" cy=\"\(text(py(yValue)))\" r=\"3.5\" "
                + "fill=\"\(colour)\"/>")
    }

    /// An interval at an x value.
    mutating func whisker(_ xValue: Double, low: Double, high: Double, colour: String) {
        let at = text(px(xValue))
        marks.append(
            "<line x1=\"\(at)\" x2=\"\(at)\" y1=\"\(text(py(low)))\" y2=\"\(text(py(high)))\" "
                + "stroke=\"\(colour)\" stroke-width=\"1.5\"/>")
    }

    /// A bar from the axis' zero, or its lower end, over a range of x values.
    mutating func bar(_ xValues: ClosedRange<Double>, _ yValue: Double, colour: String) {
        let base = py(max(y.range.lowerBound, 0))
        let end = py(yValue)
        let low = px(xValues.lowerBound)
        let high = px(xValues.upperBound)
        marks.append(
            "<rect x=\"\(text(low))\" y=\"\(text(min(base, end)))\" "
                + "width=\"\(text(high - low))\" height=\"\(text(abs(end - base)))\" "
                + "fill=\"\(colour)\" fill-opacity=\"0.85\"/>")
    }

    /// Names a colour in the legend.
    mutating func name(_ name: String, colour: String) { legend.append((name, colour)) }

    /// The picture.
    func svg() -> String {
        let frame = [grid(), marks.joined(separator: "\n"), legendText()].joined(separator: "\n")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(Self.width)) \
            \(text(Self.height))" role="img" aria-label="\(Self.escaped(title))" \
            font-family="system-ui, sans-serif" font-size="12" fill="#222">
            <rect width="100%" height="100%" fill="white"/>
            <text x="\(text(Self.left))" y="22" font-size="15" font-weight="600">\
            \(Self.escaped(title))</text>
            \(frame)
            </svg>
            """
    }

    /// Text escaped for XML and HTML.
    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }

    private func grid() -> String {
        var lines: [String] = []
        let low = Self.height - Self.bottom
        let high = Self.top
        for tick in y.ticks {
            let at = py(tick.value)
            let colour = tick.value == 0 ? "#888" : "#e3e3e3"
            lines.append(
                "<line x1=\"\(text(Self.left))\" x2=\"\(text(Self.width - Self.right))\" "
                    + "y1=\"\(text(at))\" y2=\"\(text(at))\" stroke=\"\(colour)\"/>"
                    + "<text x=\"\(text(Self.left - 8))\" y=\"\(text(at + 4))\" "
                    + "text-anchor=\"end\">\(Self.escaped(tick.label))</text>")
        }
        for tick in x.ticks {
            lines.append(
                "<text x=\"\(text(px(tick.value)))\" y=\"\(text(low + 18))\" "
                    + "text-anchor=\"middle\">\(Self.escaped(tick.label))</text>")
        }
        let middle = (low + high) / 2
        lines.append(
            "<text x=\"\(text((Self.left + Self.width - Self.right) / 2))\" "
                + "y=\"\(text(Self.height - 14))\" text-anchor=\"middle\">"
                + "\(Self.escaped(x.title))</text>"
                + "<text transform=\"translate(18 \(text(middle))) rotate(-90)\" "
                + "text-anchor=\"middle\">\(Self.escaped(y.title))</text>")
        return lines.joined(separator: "\n")
    }

    private func legendText() -> String {
        legend.enumerated().map { index, entry in
            let at = Self.top + 6 + Double(index) * 18
            let edge = Self.width - Self.right - 190
            return "<rect x=\"\(text(edge))\" y=\"\(text(at))\" width=\"12\" height=\"12\" "
                + "fill=\"\(entry.colour)\"/><text x=\"\(text(edge + 18))\" y=\"\(text(at + 10))\">"
                + "\(Self.escaped(entry.name))</text>"
        }.joined(separator: "\n")
    }

    private func px(_ value: Double) -> Double {
        Self.left + x.position(value) * (Self.width - Self.left - Self.right)
    }

    private func py(_ value: Double) -> Double {
        Self.height - Self.bottom - y.position(value) * (Self.height - Self.top - Self.bottom)
    }

    private func text(_ value: Double) -> String { fixed(value, 1) }
}
