// Normalised inputs as lists, and the products of a first layer with them: TrainableNetwork learns on these.
package import BridgecastCore
package import BridgecastEngine

/// Rows whose inputs are normalised, kept as what the inputs that are not zero add to a row of zeros.
///
/// A normalised row is that of a row of zeros plus differences at its few entries. A layer's output is therefore
/// its output for zeros, the same for all rows, plus the differences times their columns of weights.
package struct NormalisedRows: Sendable {
    /// Inputs of a row, I.
    let width: Int
    /// Rows, B.
    let count: Int
    /// A row of zeros, normalised, [I].
    let zero: [Float]
    /// As in ``SparseRows``, but with the differences to ``zero`` for values.
    private let starts: [UInt32]
    private let inputs: [UInt16]
    private let differences: [Float]
    private let parts: [SparseRows.Parts]

    /// Normalises rows.
    ///
    /// - Precondition: The normalisation is one of as many inputs.
    package init(_ rows: SparseRows, _ normalisation: InputNormalisation) {
        precondition(rows.width == normalisation.mean.count, "a normalisation of other inputs")
        width = rows.width
        count = rows.count
        let zero = (0..<rows.width).map { normalisation.normalised(0, input: $0) }
        self.zero = zero
        starts = rows.starts
        parts = rows.parts
        let used = Int(rows.starts.last ?? 0)
        inputs = Array(rows.inputs[..<used])
        differences = zip(rows.inputs, rows.values).prefix(used).map { input, value in
            normalisation.normalised(value, input: Int(input)) - zero[Int(input)]
        }
    }

    /// Outputs of some rows, [rows, O]: base [O], that of a row of zeros, plus differences times weights [I, O].
    func multiply(
        _ rows: ArraySlice<Int>, by weights: [Float], base: [Float], into result: inout [Float]
    ) {
        let outputs = base.count
        precondition(weights.count == width * outputs && result.count >= rows.count * outputs)
        for place in 0..<rows.count {
            result.replaceSubrange(place * outputs..<(place + 1) * outputs, with: base)
        }
        unsafe weights.withUnsafeBufferPointer { weights in
            unsafe result.withUnsafeMutableBufferPointer { result in
                guard let weights = weights.baseAddress, let result = result.baseAddress else {
                    return
                }
                forEachEntry(of: rows) { place, input, difference in
                    unsafe BLAS.add(
                        difference, times: weights + input * outputs, to: result + place * outputs,
                        count: outputs)
                }
            }
        }
    }

    /// Adds differences times deltas [rows, O] of some rows to gradients of weights, [I, O].
    func addProducts(
        _ rows: ArraySlice<Int>, deltas: [Float], outputs: Int, to gradients: inout [Float]
    ) {
        precondition(gradients.count == width * outputs && deltas.count >= rows.count * outputs)
        unsafe deltas.withUnsafeBufferPointer { deltas in
            unsafe gradients.withUnsafeMutableBufferPointer { gradients in
                guard let deltas = deltas.baseAddress, let gradients = gradients.baseAddress else {
                    return
                }
                forEachEntry(of: rows) { place, input, difference in
                    unsafe BLAS.add(
                        difference, times: deltas + place * outputs,
                        to: gradients + input * outputs, count: outputs)
                }
            }
        }
    }

    /// Calls for each entry of rows with the row's place among them; inputs are below the width.
    @inline(__always)
    private func forEachEntry(of rows: ArraySlice<Int>, _ body: (Int, Int, Float) -> Void) {
        for (place, row) in rows.enumerated() {
            for number in 0..<SparseRows.Parts.count {
                let list = parts[row][number]
                guard list != SparseRows.noList else { continue }
                for entry in Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) {
                    body(place, Int(inputs[entry]), differences[entry])
                }
            }
        }
    }
}
