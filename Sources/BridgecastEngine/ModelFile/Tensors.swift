private import BridgecastCore

/// The tensors that belong to a header, by name and in file order.
package struct TensorPlan {
    package struct Entry {
        package let name: String
        package let dtype: String
        package let shape: [Int]
    }

    package let entries: [Entry]

    subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    package init(_ header: ModelHeader) {
        let inputs = header.list.count
        let bridges = header.bridges.count
        var entries = [
            Entry(name: "input.mean", dtype: "f32", shape: [inputs]),
            Entry(name: "input.inverseDeviation", dtype: "f32", shape: [inputs]),
        ]
        if bridges > 0 {
            entries += [
                Entry(
                    name: "climatology.openProbability", dtype: "f32",
                    shape: [bridges, 2, 2, header.climatologySlotsPerDay]),
                Entry(
                    name: "climatology.durationSurvival", dtype: "f32",
                    shape: [bridges, Climatology.survivalCount]),
                Entry(name: "climatology.openingsPerDay", dtype: "f32", shape: [bridges, 2, 2]),
                Entry(name: "climatology.coveredDays", dtype: "f32", shape: [bridges, 2]),
            ]
            if header.lengthParameters > 0 {
                entries.append(
                    Entry(
                        name: "lengths.parameters", dtype: "f32", shape: [header.lengthParameters]))
            }
        }
        for (index, layer) in header.layers.enumerated() {
            entries.append(
                Entry(
                    name: "layers.\(index).weight", dtype: header.weightFormat.dtype,
                    shape: [layer.outputs, layer.inputs]))
            entries.append(
                Entry(name: "layers.\(index).bias", dtype: "f32", shape: [layer.outputs]))
            if header.weightFormat == .int8 {
                entries.append(
                    Entry(name: "layers.\(index).scale", dtype: "f32", shape: [layer.outputs]))
            }
        }
        self.entries = entries
    }
}

extension ModelHeader {
    package static var currentFeatures: [Feature] {
        FeatureSchema.features.map {
            Feature(
                name: $0.name, unit: $0.unit.rawValue, low: $0.range.lowerBound,
                high: $0.range.upperBound)
        }
    }

    package static var currentBridges: [BridgeEntry] {
        BridgeCatalogue.seattle.map { BridgeEntry(id: $0.id, name: $0.name) }
    }
}

extension WeightFormat {
    /// What a header calls the numbers of a weight tensor.
    fileprivate var dtype: String {
        switch self {
        case .int8: "i8"
        case .fp16: "f16"
        case .fp32: "f32"
        }
    }
}

// MARK: - Reading

struct TensorReader {
    private let container: ModelContainer
    private let plan: TensorPlan

    /// Checks that no tensor is there that does not belong to the header.
    init(_ container: ModelContainer) throws(ModelFileError) {
        self.container = container
        plan = TensorPlan(container.header)
        for tensor in container.header.tensors where plan[tensor.name] == nil {
            throw .unexpectedTensor(tensor.name)
        }
    }

    private func bytes(_ name: String) throws(ModelFileError) -> ArraySlice<UInt8> {
        guard let tensor = container.header.tensors.first(where: { $0.name == name }) else {
            throw .missingTensor(name)
        }
        guard let expected = plan[name] else { throw .unexpectedTensor(name) }
        guard tensor.dtype == expected.dtype else {
            throw .wrongNumberFormat(tensor: name, expected: expected.dtype, found: tensor.dtype)
        }
        guard tensor.shape == expected.shape else {
            throw .wrongShape(tensor: name, expected: expected.shape, found: tensor.shape)
        }
        return container.content(of: tensor)
    }

    func signedBytes(_ name: String) throws(ModelFileError) -> [Int8] {
        unsafe try bytes(name).withUnsafeBytes { content in
            unsafe [Int8](unsafeUninitializedCapacity: content.count) { values, count in
                let memory = UnsafeMutableRawBufferPointer(values)
                unsafe memory.copyMemory(from: content)
                count = content.count
            }
        }
    }

    /// Reads an f16 or f32 tensor; every number must be finite and, if asked, above zero.
    func numbers(_ name: String, positive: Bool = false) throws(ModelFileError) -> [Float] {
        let content = try bytes(name)
        let values = plan[name]?.dtype == "f16" ? Self.halves(content) : Self.singles(content)
        if !Self.areFinite(values, positive: positive) {
            for (index, value) in values.enumerated() {
                guard value.isFinite else { throw .notFinite(tensor: name, index: index) }
                guard !positive || value > 0 else {
                    throw .notPositive(tensor: name, index: index)
                }
            }
        }
        return values
    }

    private static func singles(_ content: ArraySlice<UInt8>) -> [Float] {
        // The sizes were checked: the content is a whole number of floats.
        let number = content.count / 4
        return unsafe content.withUnsafeBytes { content in
            unsafe [Float](unsafeUninitializedCapacity: number) { values, count in
                for index in 0..<number {
                    let bits = unsafe content.loadUnaligned(
                        fromByteOffset: index * 4, as: UInt32.self)
                    unsafe values.initializeElement(
                        at: index, to: Float(bitPattern: UInt32(littleEndian: bits)))
                }
                count = number
            }
        }
    }

    private static func halves(_ content: ArraySlice<UInt8>) -> [Float] {
        unsafe content.withUnsafeBytes { content in
            (0..<content.count / 2).map { index in
                let bits = unsafe content.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
                return Float(Float16(bitPattern: UInt16(littleEndian: bits)))
            }
        }
    }

    /// Whether all numbers are finite and, if asked, above zero; without a branch for each.
    private static func areFinite(_ values: [Float], positive: Bool) -> Bool {
        let values = values.span
        var largest: UInt32 = 0
        var smallest = Int32.max
        for index in values.indices {
            let bits = values[index].bitPattern
            largest = max(largest, bits & 0x7fff_ffff)
            smallest = min(smallest, Int32(bitPattern: bits))
        }
        return largest < Float.infinity.bitPattern && (!positive || smallest > 0)
    }
}
