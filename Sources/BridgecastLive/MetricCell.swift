// One metric of any kind, behind a lock of its own; made by MetricsRegistry.
internal import CoreMetrics
internal import Synchronization

/// What kinds of metrics Prometheus knows.
enum MetricKind: String, Sendable {
    case counter, gauge, summary, histogram
}

/// A metric that is changed by whoever holds it.
final class MetricCell: CounterHandler, RecorderHandler, TimerHandler {
    /// What a metric has come to.
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
            guard kind == .histogram, let place = Self.bounds.firstIndex(where: { value <= $0 })
            else { return }
            state.buckets[place] += 1
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}

extension MetricCell.Contents {
    /// The lines of the metric; buckets count all values up to their bound, as Prometheus has it.
    func lines(_ key: MetricKey, _ kind: MetricKind) -> String {
        switch kind {
        case .counter, .gauge: return "\(key.start()) \(sum)\n"
        case .summary: return ends(key)
        case .histogram:
            var text = ""
            var below = 0
            for (bound, bucket) in zip(MetricCell.bounds, buckets) {
                below += bucket
                text += "\(key.start("_bucket", "le=\"\(bound)\"")) \(below)\n"
            }
            return text + "\(key.start("_bucket", "le=\"+Inf\"")) \(count)\n" + ends(key)
        }
    }

    private func ends(_ key: MetricKey) -> String {
        "\(key.start("_sum")) \(sum)\n\(key.start("_count")) \(count)\n"
    }
}
