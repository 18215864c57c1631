// The ways in which one network lies in memory, each made when rows of its kind first come.
internal import Synchronization

/// A network packed for rows written out, for rows as lists, or for OpenBLAS: its weights are kept packed as has been
/// asked for, and unpacked only for OpenBLAS.
final class NetworkImages: Sendable {
    /// The way in which it was packed at first, which its rows mostly take.
    let first: NetworkImage

    private let normalisation: InputNormalisation
    private let other = AtomicLazyReference<NetworkImage>()
    private let matrices = AtomicLazyReference<BLASNetwork>()

    /// Packs it for one kind of rows.
    init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers,
        for firstLayer: NetworkImage.FirstLayer
    ) {
        self.normalisation = normalisation
        first = NetworkImage(normalisation, layers, firstLayer)
    }

    /// The network for rows of a kind.
    @inline(__always)
    subscript(firstLayer: NetworkImage.FirstLayer) -> NetworkImage {
        first.firstLayer == firstLayer ? first : other(firstLayer)
    }

    /// The network for OpenBLAS.
    var blas: BLASNetwork {
        matrices.load() ?? matrices.storeIfNil(BLASNetwork(layers))
    }

    /// The layers, unpacked; O(weights).
    var layers: NetworkLayers { first.layers() }

    /// Memory of what is packed, bytes.
    var byteCount: Int { first.byteCount + (other.load()?.byteCount ?? 0) }

    @inline(never)
    private func other(_ firstLayer: NetworkImage.FirstLayer) -> NetworkImage {
        other.load() ?? other.storeIfNil(NetworkImage(normalisation, layers, firstLayer))
    }
}
