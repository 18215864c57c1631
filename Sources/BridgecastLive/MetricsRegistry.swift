// Counters, gauges and timers kept in memory and written as Prometheus text; a backend of swift-metrics.
public import CoreMetrics
private import Synchronization

/// Keeps every metric of the process.
///
/// No package of the toolchain's world that we can depend on writes Prometheus text, and this is all it
/// takes. Labels are fixed when a metric is made; each keeps its own cell, so that two of them never wait for each
/// other, and the registry's lock is taken only to make one and to write all.
public final class MetricsRegistry: MetricsFactory {
    private let cells = Mutex<[MetricKey: MetricCell]>([:])

    /// Creates an empty registry.
    public init() {}

    /// All metrics in the text format of Prometheus, sorted.
    public func text() -> String {
        let sorted = cells.withLock { $0.sorted { $0.key < $1.key } }
        var text = ""
        var last = ""
        for (key, cell) in sorted {
            let contents = cell.contents
            guard contents.isTouched else { continue }
            if key.name != last {
                if let help = MetricHelp.text(of: key.name) {
                    text += "# HELP \(key.name) \(help)\n"
                }
                text += "# TYPE \(key.name) \(cell.kind.rawValue)\n"
            }
            last = key.name
            text += contents.lines(key, cell.kind)
        }
        return text
    }

    /// Makes a counter.
    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler {
        cell(label, dimensions, .counter)
    }

    /// Makes a gauge; with `aggregate`, a summary.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        cell(label, dimensions, aggregate ? .summary : .gauge)
    }

    /// Makes a timer, in seconds: a histogram where requests are timed, else a summary.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions, label.hasSuffix("_request_seconds") ? .histogram : .summary)
    }

    /// The cell of a metric; the same one whenever it is made again.
    private func cell(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricKind
    ) -> MetricCell {
        let key = MetricKey(label, dimensions)
        return cells.withLock { cells in
            if let cell = cells[key] { return cell }
            let cell = MetricCell(kind)
            cells[key] = cell
            return cell
        }
    }

    /// Metrics live as long as the registry.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Metrics live as long as the registry.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Metrics live as long as the registry.
    public func destroyTimer(_ handler: any TimerHandler) {}
}
