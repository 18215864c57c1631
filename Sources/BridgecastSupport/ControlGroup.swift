// The memory of this process and of its control group, and whether it is short.
private import Foundation
private import Glibc

/// The control group of a process (cgroup v2).
package struct ControlGroup: Sendable {
    /// That of this process; tests have others.
    @TaskLocal package static var current = ControlGroup()

    /// Where the hierarchy is mounted.
    package var root = "/sys/fs/cgroup"
    /// The file that names the group.
    package var membership = "/proc/self/cgroup"

    package init(root: String = "/sys/fs/cgroup", membership: String = "/proc/self/cgroup") {
        self.root = root
        self.membership = membership
    }

    /// The lowest memory limit of the group and of those above it, with its file; nil without a limit or without cgroup v2.
    package var memoryLimit: (bytes: Int, path: String)? {
        let groups = (try? String(contentsOfFile: membership, encoding: .utf8)) ?? ""
        // Version 2 has the number 0 and no controllers.
        guard
            let group = groups.split(whereSeparator: \.isNewline).first(where: {
                $0.hasPrefix("0::/")
            })
        else { return nil }
        // Of a group outside the mounted namespace the path begins with "..".
        var folders = group.dropFirst(4).split(separator: "/").filter { $0 != ".." }
        var limits: [(bytes: Int, path: String)] = []
        while true {
            let path = ([root] + folders.map(String.init) + ["memory.max"]).joined(separator: "/")
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            // Without a limit it is "max".
            if let bytes = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) {
                limits.append((bytes, path))
            }
            guard folders.popLast() != nil else { break }
        }
        return limits.min { $0.bytes < $1.bytes }
    }
}

/// The memory of this process, and how short it is.
package struct MemoryStatus: Sendable, Equatable {
    /// What is resident; nil if the system does not say.
    package var residentBytes: Int?
    /// The limit of the control group; nil without one.
    package var limitBytes: Int?
    /// What the control group with that limit uses.
    package var groupBytes: Int?
    /// The share of the last ten seconds in which something waited for memory, percent; nil if the kernel does not say.
    ///
    /// Of the whole machine (Linux, Documentation/accounting/psi.rst).
    package var stalledPercent: Double?

    package init() {}

    /// The status now.
    ///
    /// - Parameter pressure: The kernel's file of stalls.
    package static func current(
        in group: ControlGroup = .current, pressure: String = "/proc/pressure/memory"
    ) -> MemoryStatus {
        var status = MemoryStatus()
        status.residentBytes = text("/proc/self/statm")?.split(separator: " ").dropFirst().first
            .flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        if let limit = group.memoryLimit {
            status.limitBytes = limit.bytes
            let path = limit.path.replacing("/memory.max", with: "/memory.current")
            status.groupBytes = text(path).flatMap {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        status.stalledPercent = text(pressure).flatMap(stalls)
        return status
    }

    /// Whether memory is short.
    ///
    /// - Parameter wasShort: Whether it was before: then it is until there is clearly more.
    package func isShort(wasShort: Bool) -> Bool {
        let stalls = stalledPercent ?? 0
        let used =
            limitBytes.map { limit in Double(groupBytes ?? 0) / Double(max(1, limit)) } ?? 0
        return wasShort ? stalls >= 5 || used >= 0.8 : stalls >= 10 || used >= 0.9
    }

    /// The average over ten seconds of the line `some avg10=0.00 avg60=0.00 avg300=0.00 total=0`.
    private static func stalls(_ text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix("some ") }?
            .split(separator: " ").first { $0.hasPrefix("avg10=") }
            .flatMap { Double($0.dropFirst("avg10=".count)) }
    }

    private static func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
