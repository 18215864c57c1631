// What `bench` measured, as tables and sentences.
import BridgecastBench
import BridgecastCore

enum BenchText {
    static func text(_ report: BenchReport) -> String {
        let machine = report.machine
        var parts = [
            """
            CPU        \(machine.cpu), \(machine.familyAndModel), \(machine.processors) processors, \
            \(machine.clockMHz) MHz stated
            kernels    \(machine.instructionSet) (available: \
            \(machine.availableInstructionSets.joined(separator: ", ")))
            OpenBLAS   \(machine.openBLASCore)
            clock      one reading costs \(fixed(machine.clockReadNanoseconds, 0)) ns, which every \
            percentile contains once
            """
        ]
        if let version = report.onnxruntime { parts[0] += "\nonnxruntime \(version)" }
        if !report.networks.isEmpty { parts.append(networks(report.networks)) }
        if !report.ratios.isEmpty { parts.append(ratios(report.ratios)) }
        if let remark = saturation(report.networks) { parts.append(remark) }
        if !report.pipeline.isEmpty {
            parts.append("Parts of a forecast, us a call\n" + table(report.pipeline))
        }
        if let load = report.load {
            parts.append(
                "Loading, us\n" + table(load.parts + report.onnxruntimeLoad)
                    + "\nfile \(load.fileBytes) bytes, packed network \(load.packedBytes) bytes")
        }
        if let roads = report.roads { parts.append(text(roads)) }
        if let reminders = report.reminders { parts.append(text(reminders)) }
        for live in report.live {
            parts.append(
                "Live, \(live.watchers) watchers: \(live.changes) readings that changed a state, "
                    + "\(live.batches) batches for \(live.requests) readings, \(live.wakes) watchers "
                    + "woken; from bytes to models p50 \(fixed(live.p50, 2)) ms, p99 "
                    + "\(fixed(live.p99, 2)) ms, maximum \(fixed(live.max, 2)) ms")
        }
        if !report.overload.isEmpty { parts.append(overload(report.overload)) }
        if let alerts = report.alerts {
            parts.append(
                "Alerts, \(alerts.people) people with \(alerts.rules) rules: \(alerts.boards) boards lead to "
                    + "\(alerts.alerts) alerts; deciding p50 \(fixed(alerts.planP50, 3)) ms, p99 "
                    + "\(fixed(alerts.planP99, 2)) ms, maximum \(fixed(alerts.planMax, 2)) ms; with keeping "
                    + "p50 \(fixed(alerts.keepP50, 1)) ms, maximum \(fixed(alerts.keepMax, 1)) ms; \(alerts.rules) reminders "
                    + "p50 \(fixed(alerts.remindP50, 1)) ms, maximum \(fixed(alerts.remindMax, 1)) ms"
            )
        }
        if !report.journals.isEmpty { parts.append(text(report.journals)) }
        if let records = report.records {
            parts.append(
                "Records: \(records.rows) rows read in \(fixed(records.readSeconds, 3)) s with at most "
                    + "\(fixed(records.peakMegabytes, 0)) MB, stored in "
                    + "\(fixed(records.storeSeconds, 2)) s")
        }
        return parts.joined(separator: "\n\n")
    }

    /// The part about journals.
    static func text(_ journals: [JournalBench.Result]) -> String {
        var table = TextTable(
            ["journal", "journeys", "open", "add one", "read all", "statistics"],
            [.left, .right, .right, .right, .right, .right])
        for result in journals {
            table.add(
                [result.isEncrypted ? "encrypted" : "plain", "\(result.journeys)"]
                    + [result.open, result.add, result.readAll, result.statistics].map {
                        fixed($0, 1)
                    })
        }
        return "Journals, ms (median)\n" + table.text()
    }

    /// The part about reminders.
    static func text(_ reminders: ReminderBench.Result) -> String {
        "Reminders, us a call; \(reminders.routes) ways in all, \(reminders.routesOverBridges) over drawbridges; "
            + "a change of a bridge moved \(fixed(reminders.changed, 0)) times to leave\n"
            + table(reminders.parts)
    }

    /// The part about roads.
    static func text(_ roads: RoadBench.Result) -> String {
        var ratios = TextTable(
            ["search of the quickest way", "times faster", "over the rounds", "rounds"],
            [.left, .right, .left, .right])
        for ratio in roads.ratios {
            ratios.add([
                ratio.trip, fixed(ratio.median, 0),
                "\(fixed(ratio.low, 0)) .. \(fixed(ratio.high, 0))", "\(ratio.rounds)",
            ])
        }
        return "Roads, us a call\n" + table(roads.parts)
            + "\nfile \(roads.fileBytes) bytes; reading it first, the process grew by "
            + "\(roads.residentKB) kB; maximum memory of all parts \(roads.peakKB) kB\n\n"
            + "Ratios to plain Dijkstra over the same pieces of road (its call over ours)\n"
            + ratios.text()
    }

    private static func networks(_ results: [BenchResult]) -> String {
        var table = TextTable(
            [
                "network", "engine", "format", "path", "threads", "batch", "p50", "p90", "p99",
                "p99.9", "in a loop", "M rows/s",
            ],
            [
                .left, .left, .left, .left, .right, .right, .right, .right, .right, .right, .right,
                .right,
            ])
        for result in results {
            table.add([
                result.network, result.engine, marked(result.format, result.saturatedBy),
                result.path, "\(result.threads)", "\(result.batch)", time(result.p50),
                time(result.p90), time(result.p99), time(result.p999),
                time(result.looped), fixed(result.rowsPerSecond / 1e6, 2),
            ])
        }
        return "Networks, us a call\n" + table.text()
    }

    private static func ratios(_ ratios: [BenchRatio]) -> String {
        var table = TextTable(
            ["network", "ours", "threads", "batch", "against", "times faster", "over the rounds"],
            [.left, .left, .right, .right, .left, .right, .left])
        for ratio in ratios {
            table.add([
                ratio.network, ratio.format, "\(ratio.threads)", "\(ratio.batch)",
                marked(ratio.against, ratio.saturatedBy),
                fixed(ratio.median, 2), "\(fixed(ratio.low, 2)) .. \(fixed(ratio.high, 2))",
            ])
        }
        return "Ratios to onnxruntime, from the same rounds (its median call over ours)\n"
            + table.text()
    }

    private static func overload(_ results: [OverloadResult]) -> String {
        var table = TextTable(
            ["clients, multiple of the capacity", "served", "refused", "us a refusal"],
            [.left, .right, .right, .right])
        for result in results {
            table.add([
                "\(result.times)", fixed(result.served, 0), fixed(result.refused, 0),
                fixed(result.refusalMicroseconds, 2),
            ])
        }
        return "Overload, requests of 50 rows a second\n" + table.text()
    }

    private static func marked(_ name: String, _ saturatedBy: Float?) -> String {
        saturatedBy == nil ? name : name + " *"
    }

    /// What the asterisks mean, if there are any.
    private static func saturation(_ results: [BenchResult]) -> String? {
        let errors = results.compactMap { result in
            result.saturatedBy.map { (result.network, $0) }
        }
        guard !errors.isEmpty else { return nil }
        let largest = Dictionary(errors, uniquingKeysWith: max).sorted { $0.key < $1.key }
        return "* onnxruntime's kernels for s8 weights saturate on this CPU; "
            + "largest error of an output: "
            + largest.map { "\($0.key) \(fixed(Double($0.value), 4))" }.joined(separator: ", ")
    }

    private static func table(_ results: [PartResult]) -> String {
        var table = TextTable(
            ["part", "count", "p50", "p90", "p99"], [.left, .right, .right, .right, .right])
        for result in results {
            table.add([
                result.part, "\(result.count)", time(result.p50), time(result.p90),
                time(result.p99),
            ])
        }
        return table.text()
    }

    private static func time(_ microseconds: Double) -> String {
        fixed(microseconds, microseconds < 10 ? 3 : microseconds < 1000 ? 1 : 0)
    }
}
