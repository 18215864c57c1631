// Which code computes a forecast: the same names in the library, the command line and benchmarks.

/// The code path that runs the network.
public enum ComputeUnits: String, Sendable, CaseIterable {
    /// Plain C, one row after another: the definition of the result.
    case reference
    /// OpenBLAS matrix products over the whole batch.
    case blas
    /// The fastest of the others: OpenBLAS, which beats plain C for every number format.
    case all
}
