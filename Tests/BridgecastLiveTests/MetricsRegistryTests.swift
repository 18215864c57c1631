// Metrics as Prometheus reads them.
@testable import BridgecastLive
import CoreMetrics
import Testing

@Suite struct MetricsRegistryTests {
    @Test func metricsAreWrittenAsPrometheusReadsThem() {
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
}
