// Rows of a network that threads divide into ranges; made by Workspace.

/// Rows of a network that threads divide into ranges.
///
/// Memory is named by address: it belongs to the caller of ``HelperThreads/run(_:)``, who waits until
/// all ranges are done, and no thread touches it but for a range that it has taken.
struct RowJob: Sendable {
    let rows: Int
    /// Rows that the kernels take at once at the least.
    static let step = 16

    private let image: NetworkImage
    private let instructionSet: InstructionSet
    private let features: UInt
    private let prior: UInt
    private let output: UInt
    private let scratch: UInt
    private let share: Int

    /// - Parameter scratch: `share` bytes for each thread.
    init(
        _ image: NetworkImage, _ rows: Int, on instructionSet: InstructionSet,
        features: UnsafePointer<Float>, prior: UnsafePointer<Float>?,
        output: UnsafeMutablePointer<Float>, scratch: UnsafeMutableRawPointer, share: Int
    ) {
        self.rows = rows
        self.image = image
        self.instructionSet = instructionSet
        self.features = UInt(bitPattern: features)
        self.prior = UInt(bitPattern: prior)
        self.output = UInt(bitPattern: output)
        self.scratch = UInt(bitPattern: scratch)
        self.share = share
    }

    /// Runs a range on a thread's share of the scratch memory; 0 is the caller's.
    func run(_ range: Range<Int>, thread: Int) {
        guard let features = unsafe UnsafePointer<Float>(bitPattern: features),
            let output = unsafe UnsafeMutablePointer<Float>(bitPattern: output),
            let scratch = unsafe UnsafeMutableRawPointer(bitPattern: scratch)
        else { return }
        let prior = unsafe UnsafePointer<Float>(bitPattern: prior)
        unsafe image.run(
            range.count, on: instructionSet,
            features: features + range.lowerBound * image.inputs,
            prior: prior.map { unsafe $0 + range.lowerBound * image.outputs },
            output: output + range.lowerBound * image.outputs, scratch: scratch + thread * share)
    }
}
