// The safe face of the kernels that find rows: bytes go in as a span, pointers go no further. Used by RegularRows.
internal import CBridgecastKernels

/// The kernel of one instruction set.
struct RowKernel: Sendable {
    private let instructionSet: bck_isa

    /// The most separators that a call finds.
    static let mostSeparators = Int(BCK_MOST_SEPARATORS)
    /// Those that this CPU has, slowest first; never empty.
    static let available = (0..<BCK_ISA_COUNT.rawValue).map { bck_isa(rawValue: $0) }
        .filter { unsafe bck_kernels_of($0) != nil }.map(RowKernel.init)
    /// The fastest one.
    static let best = available[available.count - 1]

    private init(_ instructionSet: bck_isa) { self.instructionSet = instructionSet }

    /// Finds the fields of a text's whole rows; see `u8_rows`.
    ///
    /// - Parameters:
    ///   - text: Begins with a row.
    ///   - separators: Receives the places of separators, as many as are returned.
    ///   - ends: Receives for each row the number of separators up to its end.
    /// - Returns: How many rows there are.
    func find(
        _ text: Span<UInt8>, separators: inout [UInt32], ends: inout [UInt32]
    ) -> Int {
        precondition(text.count <= Int(UInt32.max))
        precondition(
            separators.count >= Self.mostSeparators && ends.count >= Self.mostSeparators)
        guard let kernels = unsafe bck_kernels_of(instructionSet) else { return 0 }
        return unsafe text.withUnsafeBufferPointer { text in
            unsafe separators.withUnsafeMutableBufferPointer { separators in
                unsafe ends.withUnsafeMutableBufferPointer { ends in
                    var rows = unsafe bck_rows(
                        separators: separators.baseAddress, ends: ends.baseAddress,
                        separator_count: 0, row_count: 0)
                    unsafe kernels.pointee.u8_rows(text.count, text.baseAddress, &rows)
                    return unsafe rows.row_count
                }
            }
        }
    }
}
