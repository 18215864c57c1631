// The ways in which one network lies in memory, each made when rows of its kind first come.
internal import Synchronization

/// A network packed for rows written out, for rows as lists, or for both.
final class NetworkImages: Sendable {
    private let normalisation: InputNormalisation
    private let layers: NetworkLayers
    private let panels = AtomicLazyReference<NetworkImage>()
    private let columns = AtomicLazyReference<NetworkImage>()

    /// Packs it for one kind of rows.
    init(
        _ normalisation: InputNormalisation, _ layers: NetworkLayers,
        for firstLayer: NetworkImage.FirstLayer
    ) {
        self.normalisation = normalisation
        self.layers = layers
        _ = self[firstLayer]
    }

    /// The network for rows of a kind.
    @inline(__always)
    subscript(firstLayer: NetworkImage.FirstLayer) -> NetworkImage {
        switch firstLayer {
        case .panels: panels.load() ?? made(.panels, for: panels)
        case .columns: columns.load() ?? made(.columns, for: columns)
        }
    }

    /// Memory of what is packed, bytes.
    var byteCount: Int {
        (panels.load()?.byteCount ?? 0) + (columns.load()?.byteCount ?? 0)
    }

    private func made(
        _ firstLayer: NetworkImage.FirstLayer,
        for place: borrowing AtomicLazyReference<NetworkImage>
    ) -> NetworkImage {
        place.storeIfNil(NetworkImage(normalisation, layers, firstLayer))
    }
}
