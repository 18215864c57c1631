// Counts what a call allocates and retains, through the Swift runtime's own hooks.
public import BridgecastCore
public import BridgecastEngine
private import Glibc
private import Synchronization

/// What one call does to memory.
public struct MemoryTraffic: Sendable, Encodable {
    /// What was run.
    public let call: String
    /// Calls that were counted.
    public let calls: Int
    /// Swift objects allocated, by all calls together.
    public let swiftAllocations: Int
    /// Retains and releases, by all calls together.
    public let retains: Int, releases: Int
}

/// Counters that the runtime's hooks write to; global, because hooks are C functions.
private enum Counters {
    static let allocations = Atomic<Int>(0)
    static let retains = Atomic<Int>(0)
    static let releases = Atomic<Int>(0)
}

/// Hooks into the Swift runtime, which looks up its own entry points in variables that it exports for
/// tools (`_swift_allocObject`, `_swift_retain`, `_swift_release`).
enum AllocationCounter {
    private typealias Object = UnsafeMutableRawPointer
    private typealias Allocate = @convention(c) (UnsafeRawPointer?, Int, Int) -> Object?
    private typealias Retain = @convention(c) (Object?) -> Object?
    private typealias Release = @convention(c) (Object?) -> Void

    /// The runtime looks at its hooks only while this is true.
    private static let switchName =
        "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"
    nonisolated(unsafe) private static var originalAllocate: Allocate?
    nonisolated(unsafe) private static var originalRetain: Retain?
    nonisolated(unsafe) private static var originalRelease: Release?

    /// Counts what so many calls do; nil where the runtime does not export its hooks.
    ///
    /// A call that is known to allocate is counted first: a counter that stays at zero would be worthless.
    static func count(_ name: String, calls: Int, _ call: () -> Void) -> MemoryTraffic? {
        guard install() else { return nil }
        defer { uninstall() }
        let probe = measure("probe", calls: 8) { _ = Probe() }
        guard probe.swiftAllocations >= 8, probe.releases >= 8 else { return nil }
        call()
        return measure(name, calls: calls, call)
    }

    private final class Probe {}

    private static func measure(_ name: String, calls: Int, _ call: () -> Void) -> MemoryTraffic {
        let before = snapshot()
        for _ in 0..<calls { call() }
        let after = snapshot()
        return MemoryTraffic(
            call: name, calls: calls, swiftAllocations: after.0 - before.0,
            retains: after.1 - before.1, releases: after.2 - before.2)
    }

    private static func snapshot() -> (Int, Int, Int) {
        (
            Counters.allocations.load(ordering: .relaxed),
            Counters.retains.load(ordering: .relaxed), Counters.releases.load(ordering: .relaxed)
        )
    }

    private static func variable<T>(_ name: String, as type: T.Type) -> UnsafeMutablePointer<T>? {
        let symbol = unsafe dlsym(nil, name)
        return unsafe symbol?.assumingMemoryBound(to: type)
    }

    private static func install() -> Bool {
        guard let allocate = unsafe variable("_swift_allocObject", as: Allocate.self),
            let retain = unsafe variable("_swift_retain", as: Retain.self),
            let release = unsafe variable("_swift_release", as: Release.self),
            let enabled = unsafe variable(switchName, as: Bool.self)
        else { return false }
        unsafe originalAllocate = allocate.pointee
        unsafe originalRetain = retain.pointee
        unsafe originalRelease = release.pointee
        unsafe allocate.pointee = { type, size, alignment in
            Counters.allocations.add(1, ordering: .relaxed)
            return unsafe AllocationCounter.originalAllocate?(type, size, alignment)
        }
        unsafe retain.pointee = { object in
            Counters.retains.add(1, ordering: .relaxed)
            return unsafe AllocationCounter.originalRetain?(object)
        }
        unsafe release.pointee = { object in
            Counters.releases.add(1, ordering: .relaxed)
            unsafe AllocationCounter.originalRelease?(object)
        }
        unsafe enabled.pointee = true
        return true
    }

    private static func uninstall() {
        if let original = unsafe originalAllocate {
            unsafe variable("_swift_allocObject", as: Allocate.self)?.pointee = original
        }
        if let original = unsafe originalRetain {
            unsafe variable("_swift_retain", as: Retain.self)?.pointee = original
        }
        if let original = unsafe originalRelease {
            unsafe variable("_swift_release", as: Release.self)?.pointee = original
        }
        unsafe variable(switchName, as: Bool.self)?.pointee = false
    }
}

extension MemoryTraffic {
    /// Counts what predicting a batch does, after one call to warm up.
    public static func predicting(
        _ model: LoadedModel, _ batch: FeatureBatch, calls: Int
    ) -> MemoryTraffic? {
        var workspace = Workspace()
        var output: [Float] = []
        return AllocationCounter.count(
            "predict, \(model.header.weightFormat.rawValue), \(batch.rowCount) rows", calls: calls
        ) {
            model.predict(batch, into: &output, workspace: &workspace)
        }
    }
}
