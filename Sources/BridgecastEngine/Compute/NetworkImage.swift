// A network as the kernels take it: weights packed into panels, in one block of aligned memory.
internal import CBridgecastKernels

/// A packed network, laid out as `bck_image` in CBridgecastKernels.h says.
///
/// The block is an array that nothing changes after `init`, so it is `Sendable` by itself; the kernels
/// read it through an aligned address within it.
struct NetworkImage: Sendable {
    /// F.
    let inputs: Int
    /// K.
    let outputs: Int
    /// Bytes of scratch that a run needs for each thread.
    let scratchBytes: Int

    private let storage: [UInt8]
    private let start: Int

    init(_ normalisation: InputNormalisation, _ layers: NetworkLayers) {
        var builder = ImageBuilder()
        builder.lay(normalisation, layers)
        inputs = normalisation.mean.count
        outputs = layers.shapes.last?.outputs ?? 0
        storage = builder.finish()
        start = storage.alignedStart
        scratchBytes = unsafe storage.withUnsafeBytes { [start] bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe bck_scratch_bytes((base + start).assumingMemoryBound(to: bck_image.self))
        }
    }

    /// Bytes of the packed network.
    var byteCount: Int { storage.count }

    /// Runs the network on rows that lie in memory as the kernels want them.
    ///
    /// - Parameters:
    ///   - features: [rows, F].
    ///   - prior: [rows, K], or nil for logits.
    ///   - output: [rows, K].
    ///   - scratch: At least ``scratchBytes`` bytes, best at a multiple of 64.
    @inline(__always)
    func run(
        _ rows: Int, on instructionSet: InstructionSet, features: UnsafePointer<Float>,
        prior: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutableRawPointer
    ) {
        unsafe storage.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe bck_forward(
                instructionSet.code, (base + start).assumingMemoryBound(to: bck_image.self), rows,
                features, prior, output, scratch)
        }
    }

    /// Hands over the normalisation, for paths that run the layers themselves.
    func withNormalisation<Result>(
        _ body: (UnsafePointer<bck_normalisation>) -> Result
    ) -> Result {
        unsafe storage.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { preconditionFailure("an image is not empty") }
            let header = unsafe (base + start).load(as: bck_image.self)
            var normalisation = unsafe bck_normalisation(
                mean: (base + start + Int(header.mean)).assumingMemoryBound(to: Float.self),
                factor: (base + start + Int(header.factor)).assumingMemoryBound(to: Float.self),
                limit: header.limit, zero_point: header.zero_point)
            return unsafe body(&normalisation)
        }
    }
}

extension [UInt8] {
    /// Where, in this array's present memory, the first multiple of 64 lies.
    ///
    /// Kernels are fast from there and right from anywhere.
    var alignedStart: Int {
        unsafe withUnsafeBytes { bytes in
            let address = Int(bitPattern: bytes.baseAddress)
            return (64 - address & 63) & 63
        }
    }
}

/// Lays out a network: first collects the parts with their offsets, then copies them together.
private struct ImageBuilder {
    private var parts: [(offset: Int, bytes: [UInt8])] = []
    private var end = 0
    private var header = bck_image()
    private var layers: [bck_image_layer] = []

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
            for layer in quantised { lay(layer) }
        case .half(let dense):
            header.format = BCK_FP16.rawValue
            lay(normalisation, factor: 1)
            for layer in dense { lay(layer, isHalf: true) }
        case .float(let dense):
            header.format = BCK_FP32.rawValue
            lay(normalisation, factor: 1)
            for layer in dense { lay(layer, isHalf: false) }
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

    private static func padded<Number: AdditiveArithmetic>(_ numbers: [Number]) -> [Number] {
        numbers + Array(repeating: .zero, count: bck_padded(numbers.count) - numbers.count)
    }
}
