// Counters, gauges and timers kept in memory and written as Prometheus text; a backend of swift-metrics.
public import CoreMetrics
private import Synchronization

/// Keeps every metric of the process.
///
/// No package of the toolchain's world that we can depend on writes Prometheus text, and this is all it
/// takes: labels are fixed when a metric is made, values are numbers behind one lock.
public final class MetricsRegistry: MetricsFactory {
    /// A metric's name and dimensions, as Prometheus writes them.
    struct Key: Hashable, Comparable, Sendable {
        let name: String
        let dimensions: String

        init(_ label: String, _ dimensions: [(String, String)]) {
            name = label
            let pairs = dimensions.map { name, value in
                let escaped = value.map { character in
                    switch character {
                    case "\\": "\\\\"
                    case "\"": "\\\""
                    case "\n": "\\n"
                    default: String(character)
                    }
                }.joined()
                return "\(name)=\"\(escaped)\""
            }
            self.dimensions = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        }

        static func < (lhs: Key, rhs: Key) -> Bool {
            (lhs.name, lhs.dimensions) < (rhs.name, rhs.dimensions)
        }
    }

    /// What a metric has come to.
    struct Value: Sendable {
        let kind: String
        var sum = 0.0
        var count = 0
    }

    private let values = Mutex<[Key: Value]>([:])

    /// Creates an empty registry.
    public init() {}

    /// All metrics in the text format of Prometheus, sorted.
    public func text() -> String {
        let sorted = values.withLock { $0.sorted { $0.key < $1.key } }
        var lines: [String] = []
        var last = ""
        for (key, value) in sorted {
            if key.name != last { lines.append("# TYPE \(key.name) \(value.kind)") }
            last = key.name
            if value.kind == "summary" {
                lines.append("\(key.name)_sum\(key.dimensions) \(value.sum)")
                lines.append("\(key.name)_count\(key.dimensions) \(value.count)")
            } else {
                lines.append("\(key.name)\(key.dimensions) \(value.sum)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    fileprivate func change(_ key: Key, _ kind: String, _ body: (inout Value) -> Void) {
        values.withLock { body(&$0[key, default: Value(kind: kind)]) }
    }

    /// Makes a counter.
    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler {
        Handler(Key(label, dimensions), "counter", self)
    }

    /// Makes a gauge; with `aggregate`, a summary.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        Handler(Key(label, dimensions), aggregate ? "summary" : "gauge", self)
    }

    /// Makes a timer, which is a summary in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(Key(label, dimensions), "summary", self)
    }

    /// Metrics live as long as the registry.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Metrics live as long as the registry.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Metrics live as long as the registry.
    public func destroyTimer(_ handler: any TimerHandler) {}
}

/// One metric of any kind.
private final class Handler: CounterHandler, RecorderHandler, TimerHandler {
    private let key: MetricsRegistry.Key
    private let kind: String
    private let registry: MetricsRegistry

    init(_ key: MetricsRegistry.Key, _ kind: String, _ registry: MetricsRegistry) {
        (self.key, self.kind, self.registry) = (key, kind, registry)
    }

    func increment(by amount: Int64) {
        registry.change(key, kind) { $0.sum += Double(amount) }
    }

    func reset() {
        registry.change(key, kind) { $0.sum = 0 }
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        registry.change(key, kind) { [kind] in
            $0.sum = kind == "gauge" ? value : $0.sum + value
            $0.count += 1
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
