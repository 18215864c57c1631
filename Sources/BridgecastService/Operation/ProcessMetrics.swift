// What the process takes of the machine, as Prometheus knows it of any program; part of `/metrics`.
private import Foundation
private import Glibc

/// Memory, file descriptors, processor time and start of this process.
enum ProcessMetrics {
    private static let startedAt = Date().timeIntervalSince1970 - secondsRunning

    /// The lines; without those that the system does not tell.
    static func text() -> String {
        var text = ""
        func add(_ name: String, _ kind: String, _ help: String, _ value: Double?) {
            guard let value else { return }
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n"
        }
        add(
            "process_cpu_seconds_total", "counter", "Processor time, user and system.",
            processorSeconds)
        add("process_open_fds", "gauge", "Open file descriptors.", openDescriptors)
        add(
            "process_resident_memory_bytes", "gauge", "Memory that is resident.", residentBytes)
        add(
            "process_start_time_seconds", "gauge", "Start, seconds since 1970.", startedAt)
        return text
    }

    private static var processorSeconds: Double? {
        // POSIX has it count a million in a second, whatever the clock of the machine.
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
        field("/proc/self/statm", 1).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// Seconds since the process began: uptime less the start that the system keeps in ticks since it booted.
    private static var secondsRunning: Double {
        guard let uptime = field("/proc/uptime", 0), let stat = contents("/proc/self/stat"),
            // The name of the program may hold blanks; it ends with the last parenthesis.
            let end = stat.lastIndex(of: ")")
        else { return 0 }
        let fields = stat[end...].split(separator: " ")
        guard fields.count > 20, let ticks = Double(fields[20]) else { return 0 }
        return uptime - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func field(_ path: String, _ place: Int) -> Double? {
        let fields = contents(path)?.split(separator: " ") ?? []
        return fields.count > place ? Double(fields[place]) : nil
    }

    private static func contents(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
