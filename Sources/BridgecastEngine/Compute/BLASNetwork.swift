// The `blas` path: matrix products by OpenBLAS over chunks of rows, all else by our own kernels.
internal import CBridgecastKernels
private import Synchronization

/// A network's weights as BLAS wants them, made when they are first asked for: most never are.
final class BLASNetwork: Sendable {
    /// Rows that run through all layers together; larger chunks fall out of the cache.
    static let chunkRows = 256

    private let layers: NetworkLayers
    private let widest: Int
    /// Weights of each layer as [I, O] in fp32.
    private let transposed = Mutex<[[Float]]?>(nil)

    init(_ layers: NetworkLayers) {
        self.layers = layers
        widest = layers.shapes.map { bck_padded(max($0.inputs, $0.outputs)) }.max() ?? 0
    }

    private var weights: [[Float]] {
        transposed.withLock { weights in
            if let weights { return weights }
            let made =
                switch layers {
                case .float(let layers):
                    layers.map { $0.weights.transposed(rows: $0.outputs, columns: $0.inputs) }
                case .half(let layers):
                    layers.map(\.roundedToHalf).map {
                        $0.weights.transposed(rows: $0.outputs, columns: $0.inputs)
                    }
                case .quantised(let layers, _):
                    layers.map { layer in
                        layer.weights.map { Float($0) }
                            .transposed(rows: layer.outputs, columns: layer.inputs)
                    }
                }
            weights = made
            return made
        }
    }

    /// As ``NetworkImage/run(_:on:input:prior:output:scratch:)``, on rows written out and one thread.
    package func run(
        _ image: NetworkImage, rows: Int, on instructionSet: InstructionSet,
        features: UnsafePointer<Float>, prior: UnsafePointer<Float>?,
        output: UnsafeMutablePointer<Float>, _ workspace: inout Workspace
    ) {
        guard let kernels = unsafe bck_kernels_of(instructionSet.code)?.pointee else { return }
        let weights = weights
        let cells = min(rows, Self.chunkRows) * widest
        unsafe workspace.withScratch(bytes: cells * 9 + Self.chunkRows * 4) { scratch in
            let buffers = unsafe ChunkBuffers(scratch, cells: cells)
            for start in stride(from: 0, to: rows, by: Self.chunkRows) {
                let count = min(Self.chunkRows, rows - start)
                let from = unsafe features + start * image.inputs
                let logits = unsafe runChunk(
                    of: image, rows: count, features: from, weights: weights, kernels, buffers)
                let to = unsafe output + start * image.outputs
                if let prior = unsafe prior {
                    unsafe kernels.f32_softmax(
                        count, image.outputs, logits, prior + start * image.outputs,
                        buffers.poison, to)
                } else {
                    unsafe kernels.f32_logits(count, image.outputs, logits, buffers.poison, to)
                }
            }
        }
    }

    private func runChunk(
        of image: NetworkImage, rows: Int, features: UnsafePointer<Float>, weights: [[Float]],
        _ kernels: bck_kernels, _ buffers: ChunkBuffers
    ) -> UnsafeMutablePointer<Float> {
        unsafe image.withNormalisation { normalisation in
            var x = unsafe buffers.x
            var y = unsafe buffers.y
            switch layers {
            case .float(let layers), .half(let layers):
                unsafe kernels.f32_normalise(
                    rows, image.inputs, features, normalisation, x, buffers.poison)
                for (index, layer) in layers.enumerated() {
                    let width = bck_padded(layer.outputs)
                    unsafe Self.fill(y, with: layer.bias, rows: rows, width: width)
                    unsafe BLAS.multiply(
                        x, weights[index], addingTo: y, m: rows, n: layer.outputs,
                        k: layer.inputs, strideA: bck_padded(layer.inputs), strideC: width)
                    for cell in 0..<rows * width where layer.hasReLU {
                        let sum = unsafe y[cell]
                        unsafe y[cell] = sum > 0 ? sum : 0
                    }
                    unsafe swap(&x, &y)
                }
            case .quantised(let layers, _):
                unsafe kernels.f32u8_normalise(
                    rows, image.inputs, features, normalisation, buffers.steps, buffers.poison)
                for (index, layer) in layers.enumerated() {
                    let width = bck_padded(layer.inputs)
                    for cell in 0..<rows * width {
                        unsafe x[cell] = unsafe Float(buffers.steps[cell])
                    }
                    // Sums of u8 x s8 stay below 2^24, because the reader refuses layers where they
                    // might not, so fp32 holds them exactly; the bias is added in integers.
                    unsafe y.update(repeating: 0, count: rows * bck_padded(layer.outputs))
                    unsafe BLAS.multiply(
                        x, weights[index], addingTo: y, m: rows, n: layer.outputs,
                        k: layer.inputs, strideA: width, strideC: bck_padded(layer.outputs))
                    unsafe layer.finish(y, steps: buffers.steps, rows: rows)
                }
                unsafe swap(&x, &y)
            }
            return unsafe x
        }
    }

    /// Writes a layer's bias to every row, and zeros to what pads it.
    private static func fill(
        _ values: UnsafeMutablePointer<Float>, with bias: [Float], rows: Int, width: Int
    ) {
        unsafe bias.withUnsafeBufferPointer { bias in
            guard let start = bias.baseAddress else { return }
            for row in 0..<rows {
                let to = unsafe values + row * width
                unsafe to.update(from: start, count: bias.count)
                unsafe (to + bias.count).update(repeating: 0, count: width - bias.count)
            }
        }
    }
}

/// Where the parts of a chunk lie in scratch memory: two buffers of fp32, one of u8, the poison.
@unsafe private struct ChunkBuffers {
    let x: UnsafeMutablePointer<Float>
    let y: UnsafeMutablePointer<Float>
    let poison: UnsafeMutablePointer<Float>
    let steps: UnsafeMutablePointer<UInt8>

    init(_ scratch: UnsafeMutableRawPointer, cells: Int) {
        let floats = unsafe scratch.assumingMemoryBound(to: Float.self)
        unsafe x = floats
        unsafe y = floats + cells
        unsafe poison = floats + 2 * cells
        unsafe steps = (scratch + (2 * cells + BLASNetwork.chunkRows) * 4)
            .assumingMemoryBound(to: UInt8.self)
    }
}

extension QuantisedLayer {
    /// From products [B, padded O] to the next layer's steps or, in place, to logits.
    fileprivate func finish(
        _ values: UnsafeMutablePointer<Float>, steps: UnsafeMutablePointer<UInt8>, rows: Int
    ) {
        let width = bck_padded(outputs)
        let bias = bias.span
        let multiplier = multiplier.span
        for row in 0..<rows {
            let sums = unsafe values + row * width
            let to = unsafe steps + row * width
            for o in 0..<outputs {
                let result = unsafe Float(Int32(sums[o]) &+ bias[o]) * multiplier[o]
                if hasReLU {
                    let rounded = result.rounded(.toNearestOrEven)
                    unsafe to[o] = UInt8(max(0, min(rounded, 255)))
                } else {
                    unsafe sums[o] = result
                }
            }
            unsafe (to + outputs).update(repeating: 0, count: width - outputs)
        }
    }
}
