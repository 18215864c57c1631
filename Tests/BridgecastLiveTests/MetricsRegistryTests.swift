@testable import BridgecastLive
import CoreMetrics
import Testing

@Suite struct MetricsRegistryTests {
    @Test func metricsAreWrittenInPrometheusFormat() {
        let registry = MetricsRegistry()
        let counter = registry.makeCounter(
            label: "requests_total", dimensions: [("feed", "a\"b\n")])
        counter.increment(by: 2)
        counter.increment(by: 3)
        registry.makeCounter(label: "requests_total", dimensions: []).increment(by: 1)
        registry.makeTimer(label: "delay_seconds", dimensions: []).recordNanoseconds(1_500_000_000)
        registry.makeRecorder(label: "age", dimensions: [], aggregate: false).record(7.0)
        registry.makeRecorder(label: "age", dimensions: [], aggregate: false).record(5.0)
        #expect(
            registry.text() == """
                # TYPE age gauge
                age 5.0
                # TYPE delay_seconds summary
                delay_seconds_sum 1.5
                delay_seconds_count 1
                # TYPE requests_total counter
                requests_total 1.0
                requests_total{feed="a\\"b\\n"} 5.0

                """)
    }

    @Test func requestTimesAreACumulativeHistogram() {
        let registry = MetricsRegistry()
        let timer = registry.makeTimer(
            label: "bridgecast_http_request_seconds", dimensions: [("path", "/a")])
        for milliseconds in [1, 2, 30, 20_000] as [Int64] {
            timer.recordNanoseconds(milliseconds * 1_000_000)
        }
        let text = registry.text()
        #expect(text.hasPrefix("# HELP bridgecast_http_request_seconds From a request"))
        #expect(text.contains("# TYPE bridgecast_http_request_seconds histogram\n"))
        for (bound, count) in [
            ("0.0005", 0), ("0.001", 1), ("0.0025", 2), ("10.0", 3), ("+Inf", 4),
        ] {
            let line = "_seconds_bucket{path=\"/a\",le=\"\(bound)\"} \(count)\n"
            #expect(text.contains(line), "\(bound)")
        }
        #expect(text.contains("_seconds_count{path=\"/a\"} 4\n"))
    }

    @Test func concurrentChangesAreAllCounted() async {
        let registry = MetricsRegistry()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = registry.makeCounter(label: "all_total", dimensions: [])
                    for _ in 0..<1000 { counter.increment(by: 1) }
                }
            }
        }
        #expect(registry.text().contains("all_total 8000.0\n"))
    }
}
