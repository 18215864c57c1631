// Scratch memory and threads of one caller: with it, running a network allocates nothing.

/// Scratch memory for one call at a time, and the threads that share the rows of large batches.
///
/// It grows to what the largest network seen needs and is then reused. A workspace belongs to one task;
/// the networks it is used with are shared.
public struct Workspace: Sendable {
    /// Threads that a large batch is divided among, the caller's included.
    public let threads: Int

    /// Batches below this run on the calling thread alone: dividing them would take longer.
    public static let leastRowsToDivide = 256

    private var scratch: [UInt8] = []
    private var start = 0
    private let helpers: HelperThreads?

    /// Creates an empty workspace.
    ///
    /// - Parameters:
    ///   - threads: Threads for large batches, 1 to 64; what lies outside is taken as the nearest of these.
    ///     Those beyond the caller's start here, wait for work with their processors busy for
    ///     ``HelperThreads/patience``, then asleep, and end with the last copy of the workspace.
    public init(threads: Int = 1) {
        helpers = HelperThreads(besideCaller: threads)
        self.threads = 1 + (helpers?.count ?? 0)
    }

    /// Runs a packed network, on several threads where the batch is large and the workspace has them.
    mutating func run(
        _ image: NetworkImage, _ rows: Int, on instructionSet: InstructionSet,
        input: NetworkInput, prior: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>
    ) {
        // Each thread's share of the scratch memory begins at a multiple of 64.
        let share = (image.scratchBytes + 63) & ~63
        let threads = helpers == nil || rows < Self.leastRowsToDivide ? 1 : threads
        unsafe withScratch(bytes: share * threads) { [helpers] scratch in
            guard threads > 1, let helpers else {
                unsafe image.run(
                    rows, on: instructionSet, input: input, prior: prior, output: output,
                    scratch: scratch)
                return
            }
            unsafe helpers.run(
                .rows(
                    RowJob(
                        image, rows, on: instructionSet, input: input, prior: prior,
                        output: output, scratch: scratch, share: share)))
        }
    }

    /// Hands over so many bytes of scratch memory that begin at a multiple of 64.
    @inline(__always)
    mutating func withScratch(bytes: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
        if scratch.count < bytes + 64 {
            // What a run reads there it has written before: no page is touched that it does not need.
            scratch = unsafe [UInt8](unsafeUninitializedCapacity: bytes + 64) { memory, count in
                count = memory.count
            }
            start = scratch.alignedStart
        }
        unsafe scratch.withUnsafeMutableBytes { [start] memory in
            guard let base = memory.baseAddress else { return }
            unsafe body(base + start)
        }
    }
}
