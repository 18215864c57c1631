// Threads that wait for work: they divide a batch or a set with the caller and never allocate while doing so.
private import CBridgecastKernels
private import Foundation
private import Synchronization

/// Threads that help one caller at a time with rows of a batch or routes of a set.
///
/// Waking a sleeping thread takes longer than a batch of a thousand rows, so a helper looks for more
/// work with its processor busy for ``patience`` before it sleeps.
public final class HelperThreads: Sendable {
    /// How long a helper that has run out of work stays awake.
    public static let patience = Duration.microseconds(200)

    /// How many there are beside the caller's.
    let count: Int
    private let state: State

    /// Starts threads; nil if the caller's is the only one.
    ///
    /// - Parameter threads: The caller's included, 1 to 64; what lies outside is taken as the nearest of these.
    convenience init?(besideCaller threads: Int) {
        guard threads > 1 else { return nil }
        self.init(count: min(threads, 64) - 1)
    }

    init(count: Int) {
        self.count = count
        let state = State(helpers: count)
        self.state = state
        for index in 0..<count {
            let thread = Thread { state.serve(index) }
            thread.name = "bridgecast \(index + 1)"
            thread.start()
        }
    }

    deinit { state.stop() }

    /// Runs a job on the caller's and the helpers' threads; returns when all of it is done.
    ///
    /// The helpers serve one caller at a time: a second one, with a copy of the same workspace, does its
    /// job by itself.
    func run(_ job: DividedJob) {
        guard !state.isBusy.exchange(true, ordering: .acquiring) else {
            return job.run(0..<job.count, thread: 0)
        }
        state.run(job)
        state.isBusy.store(false, ordering: .releasing)
    }
}

/// What caller and helpers share.
///
/// A line of memory that one thread writes and another reads takes a quarter of a microsecond to change hands, so
/// what is written at different times lies on lines of its own.
private final class State: Sendable {
    private typealias Line = InlineArray<16, UInt64>

    private struct NumberedJob: Sendable {
        let number: UInt64
        let job: DividedJob
    }

    let helpers: Int
    /// The caller's own.
    let isBusy = Atomic<Bool>(false)
    /// When a job last found helpers asleep that were not worth waking for it.
    private let missed = Atomic<UInt64>(0)
    private let lineOfCursor = Line(repeating: 0)
    /// Which job, in the upper half, and how much of it is taken, in the lower.
    private let cursor = Atomic<UInt64>(0)
    private let lineOfJob = Line(repeating: 0)
    private let job = Mutex<NumberedJob?>(nil)
    private let lineOfCompleted = Line(repeating: 0)
    /// How much of the current job helpers have done.
    private let completed = Atomic<Int>(0)
    private let lineOfSleep = Line(repeating: 0)
    private let isStopped = Atomic<Bool>(false)
    private let sleeping = Atomic<Int>(0)
    private let wakeUp = DispatchSemaphore(value: 0)

    init(helpers: Int) { self.helpers = helpers }

    func run(_ newJob: DividedJob) {
        guard isWorthSharing(newJob) else { return newJob.run(0..<newJob.count, thread: 0) }
        completed.store(0, ordering: .relaxed)
        let number = (cursor.load(ordering: .relaxed) >> 32 &+ 1) << 32
        job.withLock { $0 = NumberedJob(number: number, job: newJob) }
        cursor.store(number, ordering: .sequentiallyConsistent)
        if sleeping.load(ordering: .sequentiallyConsistent) > 0 {
            for _ in 0..<sleeping.exchange(0, ordering: .sequentiallyConsistent) {
                wakeUp.signal()
            }
        }
        let left = newJob.count - take(newJob, number: number, thread: 0)
        var looks = 0
        while completed.load(ordering: .acquiring) < left {
            bck_relax()
            looks += 1
            // A helper that has lost its processor gets it back sooner.
            if looks % State.looksBeforeYielding == 0 { sched_yield() }
        }
    }

    private static let looksBeforeYielding = 512

    /// Whether helpers are awake, or the job is so large that it pays to wake them, or jobs come so often that it
    /// pays for the next ones.
    private func isWorthSharing(_ job: DividedJob) -> Bool {
        guard job.count < job.leastWorthWaking, sleeping.load(ordering: .relaxed) == helpers
        else { return true }
        let now = DispatchTime.now().uptimeNanoseconds
        let before = missed.exchange(now, ordering: .relaxed)
        return now &- before < 200_000
    }

    /// Takes ranges of a job until none is left or another job has begun; returns how much that was.
    private func take(_ job: DividedJob, number: UInt64, thread: Int) -> Int {
        var done = 0
        while true {
            let seen = cursor.load(ordering: .acquiring)
            let first = Int(seen & 0xffff_ffff)
            guard seen & ~0xffff_ffff == number, first < job.count else { return done }
            let range = first..<first + share(of: job.count - first, step: job.step)
            let (isMine, _) = cursor.compareExchange(
                expected: seen, desired: seen + UInt64(range.count),
                ordering: .acquiringAndReleasing)
            // Whoever takes a range of this job keeps the caller waiting until the range is done.
            guard isMine else { continue }
            job.run(range, thread: thread)
            done += range.count
        }
    }

    /// A thread's part of what is left: large ranges at first and small ones at the end.
    ///
    /// So a thread that starts late does not keep the others waiting. No range is larger than ``most``, for a thread
    /// may be interrupted in it.
    private func share(of left: Int, step: Int) -> Int {
        let share = max(step, min(left / (helpers + 1), State.most) / step * step)
        return left - share < step ? left : share
    }

    private static let most = 1_024

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
                // The next job may be there before its number is: it is taken by its own number or not at all.
                if let current = job.withLock({ $0 }), current.number == number {
                    let taken = take(current.job, number: number, thread: index + 1)
                    if taken > 0 { completed.add(taken, ordering: .releasing) }
                }
                restingSince = .now
                continue
            }
            rest(while: number)
            if ContinuousClock.now - restingSince > HelperThreads.patience {
                sleep(unless: number)
                restingSince = .now
            }
        }
    }

    /// Waits a little for the next job; whoever else wants the processor may have it.
    private func rest(while number: UInt64) {
        for _ in 0..<State.looksBeforeYielding / 2 {
            if cursor.load(ordering: .relaxed) & ~0xffff_ffff != number { return }
            bck_relax()
        }
        sched_yield()
    }

    /// Sleeps until the next job, unless it has come already.
    private func sleep(unless number: UInt64) {
        // Whatever the last job holds need not be kept. A job that is being announced loses a helper by it, no more.
        job.withLock { $0 = nil }
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
