// `/healthz`, `/readyz` and `/metrics`: for the operation of the service.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastObservation
internal import BridgecastSupport
private import Foundation
private import Glibc
internal import HTTPTypes

enum HealthEndpoints {
    static let all = [
        Endpoint.get("/healthz") { _ in
            let text = #"{"status":"alive","version":"\#(BridgecastVersion.current)"}"#
            return ServiceAnswer(.json, Array(text.utf8), keeping: .never)
        },
        Endpoint.get("/readyz") { request in
            let readiness = Readiness(request.state)
            var answer = ServiceAnswer(.json, readiness.jsonBytes(), keeping: .never)
            if !readiness.isReady { answer.status = .serviceUnavailable }
            return answer
        },
        Endpoint.get("/metrics", forms: [.prometheus]) { request in
            request.state.load.record(request.state)
            request.state.transit?.recordAges()
            let text = request.state.parts.metrics.text() + ProcessMetrics.text()
            return ServiceAnswer(.prometheus, Array(text.utf8), keeping: .never)
        },
    ]
}

/// Whether the service can answer, and what is wrong with it.
private struct Readiness: JSONObjectAnswer {
    let isReady: Bool
    private let state: ServiceState

    init(_ state: ServiceState) {
        self.state = state
        isReady = state.isReady && state.connections.drainingSince == nil
    }

    func writeFields(into json: inout JSONWriter) {
        let snapshot = try? state.snapshot()
        json.field("status", isReady ? "ready" : "not ready")
        json.field("phase", snapshot?.phase.name)
        json.field("issue_time", snapshot.map { TimeText.rfc3339($0.issueTime) })
        json.field("model", state.parts.inference.model.header.name)
        // With a refused file the old model is in use: a warning, no reason to restart.
        json.field("model_file", state.models.status)
        json.field("event_streams", state.events.listenerCount)
        json.list(
            "sources",
            (snapshot?.sources(at: state.now) ?? []) + (state.transit?.sources(at: state.now) ?? [])
        )
    }
}

/// Memory, file descriptors, processor time and start of this process.
enum ProcessMetrics {
    private static let startedAt = Date().timeIntervalSince1970 - secondsRunning

    /// The lines of Prometheus, without those that the system does not report.
    static func text() -> String {
        var text = ""
        func add(_ name: String, kind: String = "gauge", help: String, _ value: Double?) {
            guard let value else { return }
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n"
        }
        add(
            "process_cpu_seconds_total", kind: "counter", help: "Processor time, user and system.",
            processorSeconds)
        add("process_open_fds", help: "Open file descriptors.", openDescriptors)
        add("process_resident_memory_bytes", help: "Memory that is resident.", residentBytes)
        add("process_start_time_seconds", help: "Start, seconds since 1970.", startedAt)
        return text
    }

    private static var processorSeconds: Double? {
        // POSIX: a million per second on every machine.
        let counted = clock()
        return counted < 0 ? nil : Double(counted) / 1e6
    }

    private static var openDescriptors: Double? {
        // One of them is the folder itself, which is open while it is read.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map {
            Double($0.count - 1)
        }
    }

    private static var residentBytes: Double? {
        MemoryStatus.current().residentBytes.map(Double.init)
    }

    /// Seconds since the process began: uptime less its start, which the system keeps in ticks since boot.
    private static var secondsRunning: Double {
        guard let uptime = field("/proc/uptime", 0), let stat = contents("/proc/self/stat"),
            // The name of the program may contain spaces; it ends with the last parenthesis.
            let end = stat.lastIndex(of: ")")
        else { return 0 }
        let fields = stat[end...].split(separator: " ")
        guard fields.count > 20, let ticks = Double(fields[20]) else { return 0 }
        return uptime - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func field(_ path: String, _ index: Int) -> Double? {
        let fields = contents(path)?.split(separator: " ") ?? []
        return fields.count > index ? Double(fields[index]) : nil
    }

    private static func contents(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
