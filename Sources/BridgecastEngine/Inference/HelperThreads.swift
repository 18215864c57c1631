// Threads that wait for rows: they divide a batch with the caller and never allocate while doing so.
private import CBridgecastKernels
private import Foundation
private import Synchronization

/// Threads that help one caller at a time with the rows of a batch.
///
/// Waking a sleeping thread takes longer than a batch of a thousand rows, so a helper looks for more
/// work with its processor busy for ``patience`` before it sleeps.
public final class HelperThreads: Sendable {
    /// How long a helper that has run out of work stays awake.
    public static let patience = Duration.microseconds(200)

    private let state: State

    init(count: Int) {
        let state = State(helpers: count)
        self.state = state
        for index in 0..<count {
            let thread = Thread { state.serve(index) }
            thread.name = "bridgecast rows \(index + 1)"
            thread.start()
        }
    }

    deinit { state.stop() }

    /// Runs a job on the caller's and the helpers' threads; returns when all its rows are done.
    ///
    /// The helpers serve one caller at a time: a second one, with a copy of the same workspace, runs its
    /// rows by itself.
    func run(_ job: RowJob) {
        guard !state.isBusy.exchange(true, ordering: .acquiring) else {
            return job.run(0..<job.rows, thread: 0)
        }
        state.run(job)
        state.isBusy.store(false, ordering: .releasing)
    }
}

/// Rows of a network that threads divide into ranges.
///
/// Memory is named by address: it belongs to the caller of ``HelperThreads/run(_:)``, who waits until
/// all ranges are done, and no thread touches it but for a range that it has taken (``State/take``).
struct RowJob: Sendable {
    let rows: Int
    /// Rows of a range.
    let step: Int

    private let image: NetworkImage
    private let instructionSet: InstructionSet
    private let input: RowAddresses
    private let prior: UInt
    private let output: UInt
    private let scratch: UInt
    private let share: Int

    /// - Parameters:
    ///   - threads: How many will share it.
    ///   - scratch: `share` bytes for each thread.
    init(
        _ image: NetworkImage, _ rows: Int, on instructionSet: InstructionSet, threads: Int,
        input: NetworkInput, prior: UnsafePointer<Float>?,
        output: UnsafeMutablePointer<Float>, scratch: UnsafeMutableRawPointer, share: Int
    ) {
        // Few ranges for little overhead, yet several to a thread, so that one that starts late or is
        // interrupted does not keep the others waiting.
        let chunk = Int(BCK_CHUNK)
        step = max(chunk, rows / (threads * 8) / chunk * chunk)
        self.rows = rows
        self.image = image
        self.instructionSet = instructionSet
        self.input = unsafe RowAddresses(input)
        self.prior = UInt(bitPattern: prior)
        self.output = UInt(bitPattern: output)
        self.scratch = UInt(bitPattern: scratch)
        self.share = share
    }

    /// Runs a range on a thread's share of the scratch memory; 0 is the caller's.
    func run(_ range: Range<Int>, thread: Int) {
        guard let input = unsafe input.input,
            let output = unsafe UnsafeMutablePointer<Float>(bitPattern: output),
            let scratch = unsafe UnsafeMutableRawPointer(bitPattern: scratch)
        else { return }
        let prior = unsafe UnsafePointer<Float>(bitPattern: prior)
        unsafe image.run(
            range.count, on: instructionSet,
            input: input.from(range.lowerBound, inputs: image.inputs),
            prior: prior.map { unsafe $0 + range.lowerBound * image.outputs },
            output: output + range.lowerBound * image.outputs, scratch: scratch + thread * share)
    }
}

/// The addresses of a ``NetworkInput``, for which what is said of ``RowJob`` holds.
private struct RowAddresses: Sendable {
    private let features: UInt
    private let lists: (starts: UInt, inputs: UInt, values: UInt, parts: UInt)

    init(_ input: NetworkInput) {
        switch unsafe input {
        case .rows(let rows):
            features = UInt(bitPattern: rows)
            lists = (0, 0, 0, 0)
        case .lists(let rows):
            features = 0
            unsafe lists = (
                UInt(bitPattern: rows.starts), UInt(bitPattern: rows.inputs),
                UInt(bitPattern: rows.values), UInt(bitPattern: rows.parts)
            )
        }
    }

    var input: NetworkInput? {
        if let features = unsafe UnsafePointer<Float>(bitPattern: features) {
            return unsafe .rows(features)
        }
        return unsafe .lists(
            bck_lists(
                starts: UnsafePointer(bitPattern: lists.starts),
                inputs: UnsafePointer(bitPattern: lists.inputs),
                values: UnsafePointer(bitPattern: lists.values),
                parts: UnsafePointer(bitPattern: lists.parts)))
    }
}

private final class State: Sendable {
    let helpers: Int
    let isBusy = Atomic<Bool>(false)
    private let job = Mutex<RowJob?>(nil)
    /// Which job, in the upper half, and how many of its ranges are taken, in the lower.
    private let cursor = Atomic<UInt64>(0)
    /// Rows of the current job that are done.
    private let completed = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)
    private let sleeping = Atomic<Int>(0)
    private let wakeUp = DispatchSemaphore(value: 0)

    init(helpers: Int) { self.helpers = helpers }

    func run(_ newJob: RowJob) {
        completed.store(0, ordering: .relaxed)
        job.withLock { $0 = newJob }
        let number = (cursor.load(ordering: .relaxed) >> 32 &+ 1) << 32
        cursor.store(number, ordering: .sequentiallyConsistent)
        for _ in 0..<sleeping.exchange(0, ordering: .sequentiallyConsistent) { wakeUp.signal() }
        take(newJob, number: number, thread: 0)
        while completed.load(ordering: .acquiring) < newJob.rows { bck_relax() }
        job.withLock { $0 = nil }
    }

    /// Takes ranges of a job until none is left or another job has begun.
    private func take(_ job: RowJob, number: UInt64, thread: Int) {
        while true {
            let seen = cursor.load(ordering: .acquiring)
            let first = Int(seen & 0xffff_ffff) * job.step
            guard seen & ~0xffff_ffff == number, first < job.rows else { return }
            let (isMine, _) = cursor.compareExchange(
                expected: seen, desired: seen + 1, ordering: .acquiringAndReleasing)
            // Whoever takes a range of this job keeps the caller waiting until the range is done.
            guard isMine else { continue }
            let last = min(first + job.step, job.rows)
            job.run(first..<last, thread: thread)
            completed.add(last - first, ordering: .releasing)
        }
    }

    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        for _ in 0..<helpers { wakeUp.signal() }
    }

    func serve(_ index: Int) {
        var done = UInt64(0)
        var restingSince = ContinuousClock.now
        while !isStopped.load(ordering: .relaxed) {
            let number = cursor.load(ordering: .acquiring) & ~0xffff_ffff
            if number != done {
                done = number
                if let current = job.withLock({ $0 }) {
                    take(current, number: number, thread: index + 1)
                }
                restingSince = .now
                continue
            }
            for _ in 0..<64 { bck_relax() }
            if ContinuousClock.now - restingSince > HelperThreads.patience {
                sleep(unless: number)
                restingSince = .now
            }
        }
    }

    /// Sleeps until the next job, unless it has come already.
    private func sleep(unless number: UInt64) {
        sleeping.add(1, ordering: .sequentiallyConsistent)
        // A caller that publishes a job after this look sees the sleeper and wakes it; one that
        // published before is seen here. Waking too often only costs another look.
        let isNew = cursor.load(ordering: .sequentiallyConsistent) & ~0xffff_ffff != number
        if isNew || isStopped.load(ordering: .sequentiallyConsistent) {
            wakeUp.signal()
        }
        wakeUp.wait()
    }
}
