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
    /// Our kernels, for every number format and batch size: `bridgecast bench` measures them against
    /// OpenBLAS, and there is no batch from which it is faster (`bridgecast bench`). Only on a CPU without
    /// kernels of its own, where `simd` is plain C, OpenBLAS is.
    case all

    enum Path {
        case kernels(InstructionSet)
        case blas
    }

    /// What runs on a CPU with these instructions.
    func path(on instructionSet: InstructionSet) -> Path {
        switch self {
        case .reference: .kernels(.scalar)
        case .simd: .kernels(instructionSet)
        case .blas: .blas
        case .all: instructionSet == .scalar ? .blas : .kernels(instructionSet)
        }
    }
}
