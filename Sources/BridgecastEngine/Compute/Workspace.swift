/// Scratch memory for one call at a time: with it, running a network allocates nothing.
///
/// It grows to what the largest network seen needs and is then reused. A workspace belongs to one task;
/// the networks it is used with are shared.
public struct Workspace: Sendable {
    /// Threads that a large batch is divided among, the caller's included.
    public let threads: Int

    /// Batches below this run on the calling thread alone: dividing them would take longer.
    public static let minRowsToDivide = 1_024

    private var scratch: [UInt8] = []
    private var start = 0

    /// Rows that the kernels take at once, at least.
    private static let rowStep = 16

    /// Creates an empty workspace.
    ///
    /// - Parameter threads: Threads for large batches, 1 to 64; others are clamped.
    ///   Those beyond the caller's are Dispatch's, which the process shares.
    public init(threads: Int = 1) { self.threads = Parallel.threadCounts.clamping(threads) }

    /// Runs a packed network, on several threads where the batch is large and the workspace has them.
    mutating func run(
        _ image: NetworkImage, rows: Int, on instructionSet: InstructionSet,
        input: NetworkInput, prior: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>
    ) {
        // Each thread's share of the scratch memory begins at a multiple of 64.
        let share = (image.scratchBytes + 63) & ~63
        let threads = rows < Self.minRowsToDivide ? 1 : threads
        unsafe withScratch(bytes: share * threads) { scratch in
            Parallel.run(rows, threads: threads, step: Self.rowStep) { range, thread in
                let first = range.lowerBound
                unsafe image.run(
                    range.count, on: instructionSet, input: input.from(first, inputs: image.inputs),
                    prior: prior.map { unsafe $0 + first * image.outputs },
                    output: output + first * image.outputs, scratch: scratch + thread * share)
            }
        }
    }

    /// Hands over `bytes` bytes of scratch memory that begin at a multiple of 64.
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

extension ClosedRange<Int> {
    package func clamping(_ value: Int) -> Int {
        Swift.min(Swift.max(value, lowerBound), upperBound)
    }
}
