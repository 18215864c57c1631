// The ways in which one network lies in memory, each made when rows of its kind first come.
internal import Synchronization

/// A network packed for rows written out, for rows as lists, or for OpenBLAS: its weights are kept in the forms
/// that have been asked for, and in no other.
final class NetworkImages: Sendable {
    private let normalisation: InputNormalisation
    private let panels = AtomicLazyReference<NetworkImage>()
    private let columns = AtomicLazyReference<NetworkImage>()
    private let matrices = AtomicLazyReference<BLASNetwork>()

    /// Packs it for one kind of rows.
    init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers,
        for firstLayer: NetworkImage.FirstLayer
    ) {
        self.normalisation = normalisation
        let image = NetworkImage(normalisation, layers, firstLayer)
        switch firstLayer {
        case .panels: _ = panels.storeIfNil(image)
        case .columns: _ = columns.storeIfNil(image)
        }
    }

    /// The network for rows of a kind.
    @inline(__always)
    subscript(firstLayer: NetworkImage.FirstLayer) -> NetworkImage {
        switch firstLayer {
        case .panels:
            panels.load() ?? panels.storeIfNil(NetworkImage(normalisation, layers, .panels))
        case .columns:
            columns.load() ?? columns.storeIfNil(NetworkImage(normalisation, layers, .columns))
        }
    }

    /// The network for OpenBLAS.
    var blas: BLASNetwork {
        matrices.load() ?? matrices.storeIfNil(BLASNetwork(layers))
    }

    /// The layers, unpacked from what there is; O(weights).
    var layers: NetworkLayers {
        guard let image = panels.load() ?? columns.load() else {
            preconditionFailure("a network is packed when it is made")
        }
        return image.layers()
    }

    /// Memory of what is packed, bytes.
    var byteCount: Int {
        (panels.load()?.byteCount ?? 0) + (columns.load()?.byteCount ?? 0)
    }
}
