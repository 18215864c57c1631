// Tensors as numbers: where ModelAssembler gets them, each with the format and shape that its place needs.

/// Reads the tensors of a container by name.
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

    /// Reads an i8 tensor.
    func signedBytes(_ name: String) throws(ModelFileError) -> [Int8] {
        unsafe try bytes(name).withUnsafeBytes { content in
            unsafe [Int8](unsafeUninitializedCapacity: content.count) { values, count in
                let memory = UnsafeMutableRawBufferPointer(values)
                unsafe FreshMemory.prepare(memory)
                unsafe memory.copyMemory(from: content)
                count = content.count
            }
        }
    }

    /// Reads an f16 or f32 tensor; every number must be finite and, if asked, above zero.
    func numbers(
        _ name: String, positive: Bool = false
    ) throws(ModelFileError) -> [Float] {
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
        // The sizes were checked: the tensor has so many numbers.
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
                let bits = unsafe content.loadUnaligned(
                    fromByteOffset: index * 2, as: UInt16.self)
                return Float(Float16(bitPattern: UInt16(littleEndian: bits)))
            }
        }
    }

    /// Whether all numbers are finite and, if asked, above zero; without a branch for each.
    private static func areFinite(_ values: [Float], positive: Bool) -> Bool {
        let values = values.span
        var largest: UInt32 = 0
        var least = Int32.max
        for index in values.indices {
            let bits = values[index].bitPattern
            largest = max(largest, bits & 0x7fff_ffff)
            least = min(least, Int32(bitPattern: bits))
        }
        return largest < Float.infinity.bitPattern && (!positive || least > 0)
    }
}
