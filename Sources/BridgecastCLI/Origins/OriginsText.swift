// The table of recipes over rolling origins as text.
import BridgecastTraining

enum OriginsText {
    static func text(_ table: OriginTable) -> String {
        var parts = [
            "Mean over origins: log-loss skill over climatology, leads 2 to 60 min; stops and delays at the profile's traffic\n"
                + recipes(table.recipes).text() + otherOrigins(table.recipes),
            "By origin and lead: log-loss skill of raised on arrival\n"
                + origins(table.recipes).text(),
        ]
        if table.recipes.contains(where: { !$0.raised.isEmpty }) {
            parts.append(
                "Raised spans: share of remaining lengths below the forecast quantile\n"
                    + raised(table.recipes).text())
        }
        parts += table.comparisons.map {
            "\($0.recipe) against \($0.against), \(counted($0.origins.count, "common origin")), paired\n"
                + comparison($0).text()
        }
        return parts.joined(separator: "\n\n")
    }

    /// A note below the means if recipes have different origins.
    private static func otherOrigins(_ lines: [OriginTable.Line]) -> String {
        let all = Set(lines.flatMap { $0.origins.map(\.origin) })
        let lacking = lines.compactMap { line -> String? in
            let missing = all.subtracting(line.origins.map(\.origin)).sorted()
            return missing.isEmpty
                ? nil : "  \(line.recipe) lacks \(missing.joined(separator: ", "))"
        }
        guard !lacking.isEmpty else { return "" }
        return
            (["", "Not all recipes have the same origins; their means are of different days:"]
            + lacking).joined(separator: "\n")
    }

    private static func recipes(_ lines: [OriginTable.Line]) -> TextTable {
        var table = TextTable(
            [
                "recipe", "origins", "raised: skill", "95 % interval", "as live: day",
                "95 % interval", "hour", "stopped: skill", "95 % interval", "delay skill", "ECE",
                "below q0.8", "below q0.95", "lowest lead",
            ], [.left] + Array(repeating: .right, count: 13))
        for line in lines {
            table.add([
                line.recipe, "\(line.origins.count)", fixed(line.skill.value, 4),
                interval(line.skill), number(line.liveDaySkill?.value),
                line.liveDaySkill.map { interval($0) } ?? "-", number(line.liveHourSkill?.value),
                number(line.stoppedSkill?.value),
                line.stoppedSkill.map { interval($0) } ?? "-", number(line.delaySkill),
                points(line.calibrationError),
                share(line.delaysBelow80), share(line.delaysBelow95),
                line.lowestLead.map {
                    "\(fixed($0.skill, 3)) (\($0.leadMinutes) min, \($0.origin))"
                } ?? "-",
            ])
        }
        return table
    }

    private static func origins(_ lines: [OriginTable.Line]) -> TextTable {
        let leads = Set(lines.flatMap { $0.origins.flatMap(\.skillByLead.keys) }).sorted()
        var table = TextTable(
            ["recipe", "origin", "rows", "raised", "skill", "95 % interval"]
                + leads.map { "\($0) min" } + [
                    "as live: day", "hour", "stopped: skill", "delay skill", "ECE", "int8 costs",
                ],
            [.left, .left] + Array(repeating: .right, count: leads.count + 10))
        for line in lines {
            for origin in line.origins {
                table.add(
                    [
                        line.recipe, origin.origin, "\(origin.rows)", percent(origin.blockedRate),
                        fixed(origin.skill.value, 4), interval(origin.skill),
                    ] + leads.map { origin.skillByLead[$0].map { fixed($0, 3) } ?? "-" } + [
                        number(origin.liveDaySkill?.value), number(origin.liveHourSkill?.value),
                        number(origin.stoppedSkill?.value), number(origin.delaySkill),
                        points(origin.calibrationError),
                        origin.int8LossPercent.map { "\(fixed($0, 3)) %" } ?? "-",
                    ])
            }
        }
        return table
    }

    private static func raised(_ lines: [OriginTable.Line]) -> TextTable {
        var table = TextTable(
            ["recipe", "up for", "openings", "below q0.8", "below q0.95", "log score"],
            [.left] + Array(repeating: .right, count: 5))
        for line in lines {
            for age in line.raised {
                table.add([
                    line.recipe, "\(age.elapsedMinutes) min", "\(age.openings)",
                    share(age.below80), share(age.below95), fixed(age.logScore, 3),
                ])
            }
        }
        return table
    }

    private static func comparison(_ comparison: OriginComparison) -> TextTable {
        var table = TextTable(
            ["rows", "skill", "other", "difference", "95 % interval", "ratio", "95 % interval"],
            [.left] + Array(repeating: .right, count: 6))
        for figures in [comparison.total] + [comparison.asLive].compactMap(\.self)
            + comparison.byLead + comparison.byBridge
        {
            table.add([
                figures.rows, fixed(figures.skill, 4), fixed(figures.otherSkill, 4),
                fixed(figures.difference.value, 4), interval(figures.difference),
                fixed(figures.ratio.value, 3),
                interval(figures.ratio, decimals: 3),
            ])
        }
        return table
    }

    private static func interval(_ estimate: OriginEstimate, decimals: Int = 4) -> String {
        guard let low = estimate.low, let high = estimate.high else { return "-" }
        return "\(fixed(low, decimals)) .. \(fixed(high, decimals))"
    }

    private static func number(_ value: Double?) -> String { value.map { fixed($0, 4) } ?? "-" }

    private static func points(_ error: Double) -> String { "\(fixed(error * 100, 2)) pp" }

    private static func share(_ value: Double?) -> String {
        value.map { "\(fixed($0 * 100, 1)) %" } ?? "-"
    }
}
