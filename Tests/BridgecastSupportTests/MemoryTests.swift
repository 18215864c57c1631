// The cache within its budget of memory, and when memory is short.
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing

@testable import BridgecastSupport

/// A time that a test moves.
private final class TestTime: Sendable {
    private let value = Mutex(0.0)
    var seconds: Double {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

@Suite struct MemoryCacheTests {
    private let time = TestTime()

    private func cache(_ budgetBytes: Int) -> MemoryCache<String> {
        MemoryCache(budgetBytes: budgetBytes) { [time] in time.seconds }
    }

    private func keep(
        _ key: String, _ bytes: Int, _ priority: CachePriority, in cache: MemoryCache<String>,
        seconds: Double = 60
    ) throws {
        try cache.keep(
            key, for: key, bytes: bytes,
            CachePolicy(timeToLiveSeconds: seconds, priority: priority))
    }

    private func kept(_ keys: String..., in cache: MemoryCache<String>) -> String {
        keys.filter { cache.value($0, as: String.self) != nil }.joined()
    }

    @Test func `an item is given until its time to live is over`() throws {
        let cache = cache(100)
        try keep("a", 10, .normal, in: cache, seconds: 5)
        time.seconds = 4.9
        #expect(cache.value("a", as: String.self) == "a")
        #expect(cache.value("a", as: Int.self) == nil, "of another type")
        time.seconds = 5
        #expect(cache.value("a", as: String.self) == nil)
        try keep("b", 95, .low, in: cache)
        #expect(cache.count == 1 && cache.usedBytes == 95, "what has expired makes room")
    }

    @Test func `the lowest priority goes first, then what was used longest ago`() throws {
        let cache = cache(40)
        for (key, priority) in [
            ("h", CachePriority.high), ("o", .low), ("n", .normal), ("l", .low),
        ] { try keep(key, 10, priority, in: cache) }
        #expect(cache.value("o", as: String.self) == "o", "used again")
        try keep("x", 10, .normal, in: cache)
        #expect(kept("h", "o", "n", "l", "x", in: cache) == "honx")
        try keep("y", 20, .high, in: cache)
        #expect(kept("h", "o", "n", "x", "y", in: cache) == "hxy")
        try keep("z", 30, .low, in: cache)
        #expect(kept("h", "x", "y", "z", in: cache) == "hxy", "no higher priority makes room")
    }

    @Test func `a critical item that does not fit is an error with a recovery`() throws {
        let cache = cache(40)
        try keep("c", 30, .critical, in: cache)
        try keep("l", 10, .low, in: cache)
        let error = #expect(throws: MemoryBudgetExceeded.self) {
            try keep("d", 41, .critical, in: cache)
        }
        #expect(error == MemoryBudgetExceeded(neededBytes: 41, budgetBytes: 40))
        #expect(error?.recovery.contains("memory") == true)
        #expect(kept("c", "l", "d", in: cache) == "cl", "nothing was dropped for it")
        let policy = RecoveryPolicy(Backoff(firstSeconds: 1, maxSeconds: 1))
        #expect(try policy.result(after: #require(error), failures: 1) == .recovered)
    }

    @Test func `while memory is short the budget is a quarter`() throws {
        let cache = cache(400)
        for (key, priority) in [("l", CachePriority.low), ("n", .normal), ("c", .critical)] {
            try keep(key, 100, priority, in: cache)
        }
        cache.set(isMemoryShort: true)
        #expect(kept("l", "n", "c", in: cache) == "c" && cache.budgetBytes == 100)
        cache.set(isMemoryShort: false)
        #expect(cache.budgetBytes == 400)
    }

    @Test(arguments: 0..<100) func `whatever is kept, the budget holds`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let cache = cache(1_000)
        for number in 0..<200 {
            time.seconds += Double.random(in: 0...3, using: &generator)
            let priority = CachePriority.allCases.randomElement(using: &generator) ?? .low
            try? keep(
                "\(number % 60)", .random(in: 0...400, using: &generator), priority, in: cache,
                seconds: .random(in: 1...20, using: &generator))
            if number % 37 == 0 { cache.set(isMemoryShort: number % 2 == 0) }
            #expect(cache.usedBytes <= cache.budgetBytes && cache.usedBytes >= 0)
        }
    }
}

@Suite struct MemoryStatusTests {
    private func status(used: String, limit: String, stalls: String) throws -> MemoryStatus {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            ("memory.max", limit), ("memory.current", used), ("pressure", stalls),
            ("cgroup", "0::/\n"),
        ] { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        return .current(
            in: ControlGroup(
                root: folder.path, membership: folder.appendingPathComponent("cgroup").path),
            pressure: folder.appendingPathComponent("pressure").path)
    }

    private let calm = """
        some avg10=0.00 avg60=0.00 avg300=0.00 total=29
        full avg10=99.00 avg60=0.00 avg300=0.00 total=29
        """

    @Test func `the kernel's files are read`() throws {
        let stalled = try status(
            used: "950\n", limit: "1000\n", stalls: "some avg10=12.34 avg60=0 avg300=0 total=1\n")
        #expect(stalled.groupBytes == 950 && stalled.limitBytes == 1000)
        #expect(stalled.stalledPercent == 12.34)
        let resident = try #require(stalled.residentBytes)
        #expect(resident > 1 << 20 && resident < 1 << 40)
        let open = try status(used: "950", limit: "max\n", stalls: "")
        #expect(open.limitBytes == nil && open.stalledPercent == nil)
        #expect(!open.isShort(wasShort: true))
    }

    @Test
    func `memory is short near the limit or while programs wait for it, and then for some time`()
        throws
    {
        for (used, stalls, isShort, staysShort) in [
            ("899", "0.00", false, true), ("900", "0.00", true, true),
            ("799", "0.00", false, false),
            ("100", "9.99", false, true), ("100", "10.00", true, true),
            ("100", "4.99", false, false),
        ] {
            let status = try status(
                used: used, limit: "1000", stalls: "some avg10=\(stalls) avg60=0 avg300=0 total=1")
            #expect(status.isShort(wasShort: false) == isShort, "\(used) \(stalls)")
            #expect(status.isShort(wasShort: true) == staysShort, "\(used) \(stalls)")
        }
        #expect(try !status(used: "1", limit: "1000", stalls: calm).isShort(wasShort: false))
    }
}
