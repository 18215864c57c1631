// Lays out a network as the kernels take it; NetworkImage keeps what comes of it.
internal import CBridgecastKernels

/// Lays out a network: first collects the parts with their offsets, then copies them together.
struct NetworkImageBuilder {
    private let firstLayer: NetworkImage.FirstLayer
    private var parts: [(offset: Int, bytes: [UInt8])] = []
    private var end = 0
    private var header = bck_image()
    private var layers: [bck_image_layer] = []

    init(_ firstLayer: NetworkImage.FirstLayer) { self.firstLayer = firstLayer }

    mutating func lay(_ normalisation: InputNormalisation, _ network: NetworkLayers) {
        let shapes = network.shapes
        precondition((1...Int(BCK_MOST_LAYERS)).contains(shapes.count))
        header.layer_count = UInt32(shapes.count)
        header.widest = UInt32(
            shapes.map { bck_padded(max($0.inputs, $0.outputs)) }.max() ?? 0)
        let headerBytes = MemoryLayout<bck_image>.stride
        header.layers = UInt64(reserve(headerBytes) + headerBytes)
        _ = reserve(MemoryLayout<bck_image_layer>.stride * shapes.count)
        switch network {
        case .quantised(let quantised, let input):
            header.format = BCK_INT8.rawValue
            lay(normalisation, factor: 1 / input.scale)
            header.zero_point = Int32(input.zeroPoint)
            for (index, layer) in quantised.enumerated() {
                if index == 0, firstLayer == .columns {
                    layColumns(layer, normalisation, input)
                } else {
                    lay(layer)
                }
            }
        case .half(let dense):
            header.format = BCK_FP16.rawValue
            lay(normalisation, factor: 1)
            lay(dense, normalisation, isHalf: true)
        case .float(let dense):
            header.format = BCK_FP32.rawValue
            lay(normalisation, factor: 1)
            lay(dense, normalisation, isHalf: false)
        }
    }

    /// The block, with room to start at a multiple of 64.
    func finish() -> [UInt8] {
        var storage = [UInt8](repeating: 0, count: end + 64)
        let start = storage.alignedStart
        func copy(_ bytes: [UInt8], to offset: Int) {
            storage.replaceSubrange(start + offset..<start + offset + bytes.count, with: bytes)
        }
        copy(Self.bytes(of: [header]), to: 0)
        copy(Self.bytes(of: layers), to: Int(header.layers))
        for part in parts { copy(part.bytes, to: part.offset) }
        return storage
    }

    private mutating func lay(_ normalisation: InputNormalisation, factor: Float) {
        header.limit = normalisation.limit * factor
        header.mean = add(Self.padded(normalisation.mean))
        header.factor = add(Self.padded(normalisation.inverseDeviation.map { $0 * factor }))
    }

    private mutating func lay(_ layer: QuantisedLayer) {
        let panels = WeightPanels.int8(layer)
        let bias = Self.padded(layer.bias)
        let centredBias = WeightPanels.centredBias(layer, panels: panels, bias: bias)
        layers.append(
            bck_image_layer(
                inputs: UInt32(layer.inputs), outputs: UInt32(layer.outputs),
                weight: add(panels), bias: add(bias), extra: add(Self.padded(layer.multiplier)),
                centred_bias: add(centredBias)))
    }

    private mutating func lay(
        _ dense: [DenseLayer], _ normalisation: InputNormalisation, isHalf: Bool
    ) {
        for (index, layer) in dense.enumerated() {
            if index == 0, firstLayer == .columns {
                layColumns(isHalf ? layer.roundedToHalf : layer, normalisation)
            } else {
                lay(layer, isHalf: isHalf)
            }
        }
    }

    /// A first layer by its inputs.
    private mutating func layColumns(
        _ layer: QuantisedLayer, _ normalisation: InputNormalisation, _ input: ActivationScale
    ) {
        let zero = normalisation.steps(
            ofRow: Array(repeating: 0, count: layer.inputs), input: input)
        let columns = WeightColumns.int8(layer, zero: zero)
        header.zero = add(zero)
        header.base = add(columns.base)
        layers.append(
            bck_image_layer(
                inputs: UInt32(layer.inputs), outputs: UInt32(layer.outputs),
                weight: add(columns.weights), bias: add(layer.bias),
                extra: add(Self.padded(layer.multiplier, to: columns.base.count)), centred_bias: 0))
    }

    private mutating func layColumns(_ layer: DenseLayer, _ normalisation: InputNormalisation) {
        var zero = [Float](repeating: 0, count: layer.inputs)
        normalisation.normalise(&zero)
        let columns = WeightColumns.fp32(layer, zero: zero)
        header.zero = add(zero)
        header.base = add(columns.base)
        layers.append(
            bck_image_layer(
                inputs: UInt32(layer.inputs), outputs: UInt32(layer.outputs),
                weight: add(columns.weights), bias: add(layer.bias), extra: 0, centred_bias: 0))
    }

    private mutating func lay(_ layer: DenseLayer, isHalf: Bool) {
        let panels = WeightPanels.fp32(isHalf ? layer.roundedToHalf : layer)
        let bias = add(Self.padded(layer.bias))
        let full = add(panels)
        let half = isHalf ? add(panels.map { Float16($0).bitPattern }) : 0
        layers.append(
            bck_image_layer(
                inputs: UInt32(layer.inputs), outputs: UInt32(layer.outputs),
                weight: isHalf ? half : full, bias: bias, extra: isHalf ? full : 0,
                centred_bias: 0))
    }

    /// Room for so many bytes at the next multiple of 64.
    private mutating func reserve(_ count: Int) -> Int {
        let offset = (end + 63) / 64 * 64
        end = offset + count
        return offset
    }

    private mutating func add<Number: BitwiseCopyable>(_ numbers: [Number]) -> UInt64 {
        let bytes = Self.bytes(of: numbers)
        let offset = reserve(bytes.count)
        parts.append((offset, bytes))
        return UInt64(offset)
    }

    private static func bytes<Number: BitwiseCopyable>(of numbers: [Number]) -> [UInt8] {
        unsafe numbers.withUnsafeBytes { unsafe [UInt8]($0) }
    }

    private static func padded<Number: AdditiveArithmetic>(
        _ numbers: [Number], to count: Int? = nil
    ) -> [Number] {
        let count = count ?? bck_padded(numbers.count)
        return numbers + Array(repeating: .zero, count: count - numbers.count)
    }
}
