// What the route kernels write on and remember, for each thread; RouteScorer keeps it from one ranking to the next.
internal import CBridgecastKernels

/// Memory of the route kernels: scratch, and the stretches of travel that were sampled before.
struct RouteMemory: Sendable {
    /// Floats of a thread's share.
    var share: Int { bck_route_memory_floats(stretches, width) }
    /// Stretches that are kept.
    private(set) var stretches = 2
    /// Cells that there is room for.
    private(set) var width = 0

    private var floats: [Float] = []
    private var start = 0
    /// For how many stretches and what width the shares were laid out.
    private var laid = (0, 0)

    /// More are not worth the cache they take.
    private static let mostStretches = 2_048

    /// Makes room for the routes of a set; what is remembered is lost if it has to grow.
    mutating func fit(_ set: RouteSet, threads: Int) {
        let wanted = min(Self.mostStretches, max(2, set.steps.count)) - 1
        stretches = max(stretches, 1 << (Int.bitWidth - wanted.leadingZeroBitCount))
        width = max(width, set.widthCells)
        let count = share * threads + 16
        guard count > floats.count || laid != (stretches, width) else { return }
        floats = Array(repeating: 0, count: count)
        start = unsafe floats.withUnsafeBufferPointer { $0.baseAddress?.floatsToLine ?? 0 }
        laid = (stretches, width)
    }

    /// Hands over the shares of all threads, which begin at a multiple of 64 bytes, but in a copy of this memory:
    /// there they begin at the same floats, as what is remembered does.
    mutating func withShares(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        unsafe floats.withUnsafeMutableBufferPointer { [start] floats in
            guard let base = floats.baseAddress else { return }
            unsafe body(base + start)
        }
    }
}

extension UnsafePointer<Float> {
    /// How many floats further the next multiple of 64 bytes lies.
    var floatsToLine: Int { unsafe bytesToLine(self) / MemoryLayout<Float>.stride }
}
