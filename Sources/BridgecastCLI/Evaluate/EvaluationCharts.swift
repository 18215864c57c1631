// The pictures of an evaluation: reliability, skill by lead, bridge and hour, sharpness.
import BridgecastTraining

enum EvaluationCharts {
    /// The pictures with the names of their files.
    static func all(_ report: EvaluationReport) -> [(name: String, caption: String, svg: String)] {
        [
            (
                "reliability",
                "Each dot is a tenth of all forecasts. On the dashed line, what was forecast at p "
                    + "happened p of the time; dots on the lower edge never happened.",
                reliability(report)
            ),
            (
                "skill-by-lead",
                "1 - log loss / log loss of climatology: 0 is climatology, 1 would be perfect. Bars "
                    + "are 95 % intervals over resampled days; what lies below -0.25 is drawn there.",
                skillByLead(report)
            ),
            (
                "skill-by-bridge", "The same by bridge, leads 2 to 60 minutes together.",
                bars(
                    "Skill by bridge", "",
                    report.byBridge.map { ($0.bridge, $0.scores.modelSkill) })
            ),
            (
                "skill-by-hour",
                "The same by civil hour of the arrival. At night there are few openings, and the "
                    + "intervals are wide.",
                bars(
                    "Skill by hour", "hour of arrival, Seattle time",
                    report.byHour.map { ($0.name, $0.scores.modelSkill) })
            ),
            (
                "sharpness",
                "How many forecasts lie in each range. A forecast that knows something leaves the "
                    + "middle: more near zero, and some far above what climatology ever says.",
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
            title: "Reliability of P(blocked)", x: axis("forecast"), y: axis("happened"))
        chart.line([(1e-4, 1e-4), (1, 1)], colour: "#999", isDashed: true)
        for bin in report.reliability {
            chart.dot(bin.meanForecast, bin.frequency, colour: SVGChart.colours[0])
        }
        return chart.svg()
    }

    private static func skillByLead(_ report: EvaluationReport) -> String {
        let leads = report.byLead.filter { $0.leadMinutes > 0 }
        var chart = SVGChart(
            title: "Skill by lead time",
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
            let points = leads.enumerated().compactMap { place, lead in
                lead.scores.skill[forecaster.rawValue].map { (x: Double(place), y: $0.value) }
            }
            guard !points.isEmpty else { continue }
            chart.line(
                points, colour: SVGChart.colours[index], name: forecaster.title,
                width: forecaster == .model ? 3 : 1.5)
        }
        for (place, lead) in leads.enumerated() {
            let skill = lead.scores.modelSkill
            chart.whisker(
                Double(place), low: skill.low, high: skill.high, colour: SVGChart.colours[0])
        }
        return chart.svg()
    }

    private static func bars(
        _ title: String, _ axisTitle: String, _ skills: [(name: String, skill: Estimate)]
    ) -> String {
        var chart = SVGChart(
            title: title,
            x: .init(
                title: axisTitle, range: -0.6...Double(skills.count) - 0.4,
                ticks: skills.enumerated().map { (Double($0.offset), $0.element.name) }),
            y: .init(
                title: "log-loss skill over climatology", range: -0.2...0.6,
                ticks: skillTicks(-0.2, 0.6)))
        for (place, entry) in skills.enumerated() {
            let at = Double(place)
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
                title: "P(blocked), percent, from", range: -0.6...Double(bins.count) - 0.4,
                ticks: bins.enumerated().map {
                    (Double($0.offset), number($0.element.from * 100))
                }),
            y: .init(
                title: "forecasts", range: 1...max(10, highest * 1.5),
                ticks: ticks.filter { $0.value <= highest * 1.5 }, isLogarithmic: true))
        for (place, bin) in bins.enumerated() {
            let at = Double(place)
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
