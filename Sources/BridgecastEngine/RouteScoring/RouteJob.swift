// Routes of a set that threads divide into ranges; made by RouteKernels.
internal import CBridgecastKernels

/// Routes of a set that threads divide into ranges.
///
/// Memory is named by address, as in ``RowJob``: it belongs to the caller of ``HelperThreads/run(_:)``, who waits until
/// all ranges are done.
struct RouteJob: Sendable {
    /// Routes of a range, but for the last one.
    static let step = 32
    /// Waking a thread that sleeps pays for whatever is divided at all.
    static let leastWorthWaking = RouteKernels.leastRoutesToDivide

    /// How many routes there are.
    let count: Int

    private let instructionSet: InstructionSet
    private let starts: UInt
    private let steps: UInt
    private let figures: UInt
    private let tables: UInt
    private let stride: Int
    private let cells: Int
    private let deadlineCells: Float
    private let memory: UInt
    private let share: Int
    private let stretches: Int
    private let width: Int

    /// - Parameters:
    ///   - delays: Its tables stay where they are.
    ///   - shares: Memory of all threads, `share` floats each, as ``RouteMemory`` has it.
    init(
        _ count: Int, on instructionSet: InstructionSet, starts: UnsafePointer<UInt32>,
        steps: UnsafePointer<bck_route_step>, delays: bck_route_delays, deadlineCells: Float,
        figures: UnsafeMutablePointer<bck_route_figures>, shares: UnsafeMutablePointer<Float>,
        share: Int, stretches: Int, width: Int
    ) {
        self.count = count
        self.instructionSet = instructionSet
        self.starts = UInt(bitPattern: starts)
        self.steps = UInt(bitPattern: steps)
        self.figures = UInt(bitPattern: figures)
        tables = unsafe UInt(bitPattern: delays.tables)
        (stride, cells) = unsafe (delays.stride, delays.cells)
        self.deadlineCells = deadlineCells
        self.memory = UInt(bitPattern: shares)
        (self.share, self.stretches, self.width) = (share, stretches, width)
    }

    /// Scores a range in a thread's share of the memory; 0 is the caller's.
    func run(_ range: Range<Int>, thread: Int) {
        guard let starts = unsafe UnsafePointer<UInt32>(bitPattern: starts),
            let figures = unsafe UnsafeMutablePointer<bck_route_figures>(bitPattern: figures),
            let memory = unsafe UnsafeMutablePointer<Float>(bitPattern: memory)
        else { return }
        let steps = unsafe UnsafePointer<bck_route_step>(bitPattern: steps)
        var delays = unsafe bck_route_delays(
            tables: UnsafePointer(bitPattern: tables), stride: stride, cells: cells)
        var own = unsafe bck_route_memory_at(memory + thread * share, stretches, width)
        RouteKernels(instructionSet).withKernels { kernels in
            unsafe kernels.f32_routes(
                range.count, starts + range.lowerBound, steps, &delays, deadlineCells, &own,
                figures + range.lowerBound, nil)
        }
    }
}
