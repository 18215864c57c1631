// Rows on their way to the kernels; CompiledNetwork makes it, Workspace and RowJob pass it on.
internal import CBridgecastKernels

/// Rows as the kernels take them, in memory of the caller.
@unsafe enum NetworkInput {
    /// Written out, [B, F].
    case rows(UnsafePointer<Float>)
    /// As lists.
    case lists(bck_lists)

    /// How the first layer has to lie for them.
    @inline(__always)
    var firstLayer: NetworkImage.FirstLayer {
        switch unsafe self {
        case .rows: .panels
        case .lists: .columns
        }
    }

    /// The rows from one on, of rows of F inputs.
    func from(_ row: Int, inputs: Int) -> NetworkInput {
        switch unsafe self {
        case .rows(let features): return unsafe .rows(features + row * inputs)
        case .lists(var lists):
            unsafe lists.parts += row * Int(BCK_PARTS)
            return unsafe .lists(lists)
        }
    }
}
