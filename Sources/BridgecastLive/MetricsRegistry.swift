// Counters, gauges and timers kept in memory and written as Prometheus text; a backend of swift-metrics.
public import CoreMetrics
internal import Synchronization

/// Keeps every metric of the process.
///
/// Labels are fixed when a metric is made. Each metric has a lock of its own, so that two of them never wait for each
/// other; the registry's lock is taken only to make one and to write all.
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
                if let help = MetricHelp.texts[key.name] { text += "# HELP \(key.name) \(help)\n" }
                text += "# TYPE \(key.name) \(cell.kind.rawValue)\n"
            }
            last = key.name
            text += contents.lines(key, cell.kind)
        }
        return text
    }

    /// Makes a counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions, .counter)
    }

    /// Makes a gauge; with `aggregate`, a summary.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { cell(label, dimensions, aggregate ? .summary : .gauge) }

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

struct MetricKey: Hashable, Comparable, Sendable {
    let name: String
    /// `a="1",b="2"`, without braces.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)]) {
        name = label
        labels = dimensions.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    static func < (lhs: MetricKey, rhs: MetricKey) -> Bool {
        (lhs.name, lhs.labels) < (rhs.name, rhs.labels)
    }

    /// The beginning of a line.
    ///
    /// - Parameters:
    ///   - suffix: Appended to the name.
    ///   - more: One more label.
    func start(_ suffix: String = "", _ more: String = "") -> String {
        let all = labels.isEmpty || more.isEmpty ? labels + more : labels + "," + more
        return all.isEmpty ? name + suffix : "\(name)\(suffix){\(all)}"
    }

    /// Scalars, not characters: "\r\n" is one of these, and its line end must not get through.
    private static func escaped(_ value: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text.append(contentsOf: "\\\\".unicodeScalars)
            case "\"": text.append(contentsOf: "\\\"".unicodeScalars)
            case "\n": text.append(contentsOf: "\\n".unicodeScalars)
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

/// The types of metrics that Prometheus knows.
enum MetricKind: String, Sendable { case counter, gauge, summary, histogram }

final class MetricCell: CounterHandler, RecorderHandler, TimerHandler {
    struct Contents: Sendable {
        fileprivate(set) var isTouched = false
        fileprivate(set) var sum = 0.0
        fileprivate(set) var count = 0
        /// Values up to each bound and above the one before; empty for all but histograms.
        fileprivate(set) var buckets: [Int] = []
    }

    let kind: MetricKind
    private let state: Mutex<Contents>

    /// Upper ends of a histogram's buckets, seconds.
    static let bounds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
    ]

    init(_ kind: MetricKind) {
        self.kind = kind
        var contents = Contents()
        if kind == .histogram { contents.buckets = Array(repeating: 0, count: Self.bounds.count) }
        state = Mutex(contents)
    }

    var contents: Contents { state.withLock { $0 } }

    func increment(by amount: Int64) {
        state.withLock { state in
            state.isTouched = true
            state.sum += Double(amount)
        }
    }

    func reset() { state.withLock { $0.sum = 0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        state.withLock { [kind] state in
            state.isTouched = true
            state.sum = kind == .gauge ? value : state.sum + value
            state.count += 1
            guard kind == .histogram, let index = Self.bounds.firstIndex(where: { value <= $0 })
            else { return }
            state.buckets[index] += 1
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}

extension MetricCell.Contents {
    /// The lines of the metric; buckets count all values up to their bound, as Prometheus has it.
    func lines(_ key: MetricKey, _ kind: MetricKind) -> String {
        switch kind {
        case .counter, .gauge: return "\(key.start()) \(sum)\n"
        case .summary: return totals(key)
        case .histogram:
            var text = ""
            var below = 0
            for (bound, bucket) in zip(MetricCell.bounds, buckets) {
                below += bucket
                text += "\(key.start("_bucket", "le=\"\(bound)\"")) \(below)\n"
            }
            return text + "\(key.start("_bucket", "le=\"+Inf\"")) \(count)\n" + totals(key)
        }
    }

    private func totals(_ key: MetricKey) -> String {
        "\(key.start("_sum")) \(sum)\n\(key.start("_count")) \(count)\n"
    }
}

enum MetricHelp {
    /// The texts of `# HELP`, by metric; none for a metric that is not listed.
    static let texts = [
        "bridgecast_batches_total": "Forecasts of all bridges.",
        "bridgecast_change_to_models_seconds": "From a change on the feed to its forecast.",
        "bridgecast_feed_age_seconds": "Age of the newest reading of a feed.",
        "bridgecast_feed_requests_total": "Requests to feeds by outcome.",
        "bridgecast_feed_retries_total": "Requests to feeds that were tried again.",
        "bridgecast_http_connections": "Connections that are open.",
        "bridgecast_http_event_streams": "Clients that listen to events.",
        "bridgecast_http_heavy_running": "Heavy requests that are being worked on.",
        "bridgecast_http_heavy_waiting": "Heavy requests that wait for their turn.",
        "bridgecast_http_refusals_total": "What was refused before a handler saw it, by reason.",
        "bridgecast_http_request_seconds": "From a request's head to its answer.",
        "bridgecast_http_requests_total": "Requests by endpoint and status.",
        "bridgecast_inference_batches_total": "Batches that the model ran.",
        "bridgecast_model_loaded_timestamp_seconds": "When the model in use was loaded.",
        "bridgecast_model_refusals_total": "Model files that were not taken over.",
        "bridgecast_model_refused": "1 while the model's file is not the model in use.",
        "bridgecast_model_reloads_total": "Model files taken over since the start.",
    ]
}
