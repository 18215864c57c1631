// Which code computes a forecast: the same names in the library, the command line and benchmarks.

/// The code path that runs the network.
public enum ComputeUnits: String, Sendable, CaseIterable {
    /// Plain C, one row after another: the definition of the result.
    case reference
    /// Our kernels for the CPU found; plain C where there are none.
    case simd
    /// OpenBLAS matrix products over chunks of the batch.
    case blas
    /// The fastest of the others.
    ///
    /// Our kernels up to the batch from which a ``PathTable`` has found OpenBLAS faster, for the network's
    /// number format and kind of rows; with kernels for the CPU that is no batch at all.
    case all

    package enum Path: Equatable, Sendable {
        case kernels(InstructionSet)
        case blas
    }

    /// What runs a batch of so many rows on a CPU with these instructions.
    ///
    /// - Parameter crossover: The batch from which ``all`` is OpenBLAS.
    @inline(__always)
    func path(on instructionSet: InstructionSet, rows: Int, crossover: Int) -> Path {
        switch self {
        case .reference: .kernels(.scalar)
        case .simd: .kernels(instructionSet)
        case .blas: .blas
        case .all: rows < crossover ? .kernels(instructionSet) : .blas
        }
    }
}
