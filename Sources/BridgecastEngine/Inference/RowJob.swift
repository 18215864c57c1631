// Rows of a network that threads divide into ranges; made by Workspace.
internal import CBridgecastKernels

/// Rows of a network that threads divide into ranges.
///
/// Memory is named by address: it belongs to the caller of ``HelperThreads/run(_:)``, who waits until
/// all ranges are done, and no thread touches it but for a range that it has taken.
struct RowJob: Sendable {
    let rows: Int
    /// Rows that the kernels take at once at the least.
    static let step = 16
    /// From so many rows on waking a thread that sleeps takes less time than it saves.
    static let leastWorthWaking = 4_096

    private let image: NetworkImage
    private let instructionSet: InstructionSet
    private let input: RowAddresses
    private let prior: UInt
    private let output: UInt
    private let scratch: UInt
    private let share: Int

    /// - Parameter scratch: `share` bytes for each thread.
    init(
        _ image: NetworkImage, _ rows: Int, on instructionSet: InstructionSet,
        input: NetworkInput, prior: UnsafePointer<Float>?,
        output: UnsafeMutablePointer<Float>, scratch: UnsafeMutableRawPointer, share: Int
    ) {
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
