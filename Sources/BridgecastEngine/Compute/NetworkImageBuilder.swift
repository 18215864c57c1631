internal import CBridgecastKernels

/// Lays out a network: first collects the parts with their offsets, then writes each where it belongs.
struct NetworkImageBuilder {
    private let firstLayer: NetworkImage.FirstLayer
    private var parts: [Part] = []
    private var end = 0
    private var header = bck_image()
    private var layers: [bck_image_layer] = []

    /// Bytes that are yet to be written: all of those it is handed.
    @safe private struct Part {
        let offset: Int
        let byteCount: Int
        let write: (UnsafeMutableRawBufferPointer) -> Void
    }

    init(_ firstLayer: NetworkImage.FirstLayer) { self.firstLayer = firstLayer }

    mutating func lay(_ normalisation: InputNormalisation, _ network: NetworkLayers) {
        let shapes = network.shapes
        precondition((1...Int(BCK_MAX_LAYERS)).contains(shapes.count))
        header.layer_count = UInt32(shapes.count)
        header.widest = UInt32(shapes.map { bck_padded(max($0.inputs, $0.outputs)) }.max() ?? 0)
        _ = reserve(MemoryLayout<bck_image>.stride)
        header.layers = UInt64(reserve(MemoryLayout<bck_image_layer>.stride * shapes.count))
        switch network {
        case .quantised(let quantised, let input):
            header.format = BCK_INT8.rawValue
            lay(normalisation, factor: 1 / input.scale)
            header.zero_point = Int32(input.zeroPoint)
            for (index, layer) in quantised.enumerated() {
                if index == 0, firstLayer == .columns {
                    layColumns(layer, normalisation, input: input)
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
        let head = [
            Self.part(of: [header], at: 0), Self.part(of: layers, at: Int(header.layers)),
        ]
        return unsafe [UInt8](unsafeUninitializedCapacity: end + 64) { memory, count in
            count = memory.count
            let memory = UnsafeMutableRawBufferPointer(memory)
            let start = unsafe bytesToLine(UnsafeRawPointer(memory.baseAddress))
            // Parts lie in order; what is between them is zero.
            var written = 0
            for part in head + parts {
                let from = start + part.offset
                unsafe memory[written..<from].initializeMemory(as: UInt8.self, repeating: 0)
                written = from + part.byteCount
                unsafe part.write(UnsafeMutableRawBufferPointer(rebasing: memory[from..<written]))
            }
            unsafe memory[written...].initializeMemory(as: UInt8.self, repeating: 0)
        }
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

    private mutating func layColumns(
        _ layer: QuantisedLayer, _ normalisation: InputNormalisation, input: ActivationScale
    ) {
        // The kernels count in 32 bits where a column begins.
        precondition(
            WeightColumns.byteCount(layer) <= Int(UInt32.max), "a first layer is too large")
        let zero = normalisation.steps(
            ofRow: Array(repeating: 0, count: layer.inputs), input: input)
        let base = WeightColumns.base(layer, zero: zero)
        header.zero = add(zero)
        header.base = add(base)
        unsafe layers.append(
            bck_image_layer(
                inputs: UInt32(layer.inputs), outputs: UInt32(layer.outputs),
                weight: add(WeightColumns.byteCount(layer)) {
                    unsafe WeightColumns.write(layer, to: $0)
                }, bias: add(Self.padded(layer.bias)),
                extra: add(Self.padded(layer.multiplier, to: base.count)), centred_bias: 0))
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
                weight: add(columns.weights), bias: add(Self.padded(layer.bias)), extra: 0,
                centred_bias: 0))
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

    /// Room for `count` bytes at the next multiple of 64.
    private mutating func reserve(_ count: Int) -> Int {
        let offset = (end + 63) / 64 * 64
        end = offset + count
        return offset
    }

    private mutating func add(
        _ byteCount: Int, write: @escaping (UnsafeMutableRawBufferPointer) -> Void
    ) -> UInt64 {
        let offset = reserve(byteCount)
        unsafe parts.append(Part(offset: offset, byteCount: byteCount, write: write))
        return UInt64(offset)
    }

    private mutating func add<Number: BitwiseCopyable>(_ numbers: [Number]) -> UInt64 {
        let part = Self.part(of: numbers, at: reserve(numbers.count * MemoryLayout<Number>.stride))
        parts.append(part)
        return UInt64(part.offset)
    }

    private static func part<Number: BitwiseCopyable>(of numbers: [Number], at offset: Int) -> Part
    {
        unsafe Part(offset: offset, byteCount: numbers.count * MemoryLayout<Number>.stride) {
            memory in
            unsafe numbers.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
        }
    }

    private static func padded<Number: AdditiveArithmetic>(
        _ numbers: [Number], to count: Int? = nil
    ) -> [Number] {
        let count = count ?? bck_padded(numbers.count)
        return numbers + Array(repeating: .zero, count: count - numbers.count)
    }
}

// MARK: - Panels and columns

/// Weights in the order in which the kernels read them.
enum WeightPanels {
    /// Outputs to a panel.
    static let outputs = Int(BCK_PANEL)
    /// Inputs that an int8 panel keeps together for each output.
    static let quad = Int(BCK_QUAD)

    /// [panel, quad of inputs, 16 outputs, 4 inputs], zero where there is no output or input.
    static func int8(_ layer: QuantisedLayer) -> [Int8] {
        let quads = (layer.inputs + quad - 1) / quad
        let panels = (layer.outputs + outputs - 1) / outputs
        var packed = [Int8](repeating: 0, count: panels * quads * outputs * quad)
        var target = packed.mutableSpan
        let source = layer.weights.span
        for o in 0..<layer.outputs {
            let panel = o / outputs * quads * outputs * quad + o % outputs * quad
            let row = source.extracting(o * layer.inputs..<(o + 1) * layer.inputs)
            var i = 0
            var start = panel
            while i + quad <= row.count {
                for j in 0..<quad { target[start + j] = row[i + j] }
                i += quad
                start += outputs * quad
            }
            for j in 0..<row.count - i { target[start + j] = row[i + j] }
        }
        return packed
    }

    /// The bias for inputs less 128; `bias` and it are padded to whole panels.
    static func centredBias(_ layer: QuantisedLayer, panels: [Int8], bias: [Int32]) -> [Int32] {
        var centred = bias
        unsafe bck_centre_bias(layer.inputs, layer.outputs, panels, bias, &centred)
        return centred
    }

    /// How many numbers int8 panels have.
    static func count(inputs: Int, outputs layerOutputs: Int) -> Int {
        (inputs + quad - 1) / quad * quad * ((layerOutputs + outputs - 1) / outputs * outputs)
    }

    /// The weights of int8 panels, [O, I].
    static func weights(_ packed: [Int8], inputs: Int, outputs layerOutputs: Int) -> [Int8] {
        let quads = (inputs + quad - 1) / quad
        return (0..<layerOutputs).flatMap { o in
            (0..<inputs).map { i in
                let panel = (o / outputs * quads + i / quad) * outputs + o % outputs
                return packed[panel * quad + i % quad]
            }
        }
    }

    /// [panel, input, 16 outputs], zero where there is no output.
    static func fp32(_ layer: DenseLayer) -> [Float] {
        let panels = (layer.outputs + outputs - 1) / outputs
        var packed = [Float](repeating: 0, count: panels * layer.inputs * outputs)
        for o in 0..<layer.outputs {
            let panel = o / outputs * layer.inputs * outputs + o % outputs
            for i in 0..<layer.inputs {
                packed[panel + i * outputs] = layer.weights[o * layer.inputs + i]
            }
        }
        return packed
    }
}

/// Weights of a first layer by input, and the sums where every input is zero.
enum WeightColumns {
    static func byteCount(_ layer: QuantisedLayer) -> Int {
        layer.inputs * bck_column(layer.outputs)
    }

    /// Writes the columns of an int8 layer, ``byteCount(_:)`` of them, as `bck_columns` has them.
    static func write(_ layer: QuantisedLayer, to memory: UnsafeMutableRawBufferPointer) {
        guard let columns = unsafe memory.bindMemory(to: UInt8.self).baseAddress else { return }
        unsafe bck_pack_columns(layer.inputs, layer.outputs, layer.weights, columns)
    }

    /// The sums of an int8 layer where every input is zero, which `zero` has as steps.
    static func base(_ layer: QuantisedLayer, zero: [UInt8]) -> [Int32] {
        var base = [Int32](repeating: 0, count: bck_column(layer.outputs))
        unsafe bck_column_base(layer.inputs, layer.outputs, layer.weights, layer.bias, zero, &base)
        return base
    }

    /// [input, outputs to a multiple of 64], zero where there is no output.
    static func fp32(_ layer: DenseLayer, zero: [Float]) -> (weights: [Float], base: [Float]) {
        let width = bck_column(layer.outputs)
        var weights = [Float](repeating: 0, count: layer.inputs * width)
        var base = [Float](repeating: 0, count: width)
        for o in 0..<layer.outputs {
            var sum = Double(layer.bias[o])
            for i in 0..<layer.inputs {
                let weight = layer.weights[o * layer.inputs + i]
                weights[i * width + o] = weight
                sum += Double(weight) * Double(zero[i])
            }
            base[o] = Float(sum)
        }
        return (weights, base)
    }
}
