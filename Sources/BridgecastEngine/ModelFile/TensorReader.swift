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
        unsafe try bytes(name).withUnsafeBytes { unsafe Array($0.bindMemory(to: Int8.self)) }
    }

    /// Reads an f16 or f32 tensor; every number must be finite and, if asked, above zero.
    func numbers(
        _ name: String, positive: Bool = false
    ) throws(ModelFileError) -> [Float] {
        let content = try bytes(name)
        let isHalf = plan[name]?.dtype == "f16"
        let count = content.count / (isHalf ? 2 : 4)
        let values = unsafe content.withUnsafeBytes { content in
            // The sizes were checked: the tensor has so many numbers.
            (0..<count).map { index in
                if isHalf {
                    let bits = unsafe content.loadUnaligned(
                        fromByteOffset: index * 2, as: UInt16.self)
                    return Float(Float16(bitPattern: UInt16(littleEndian: bits)))
                }
                let bits = unsafe content.loadUnaligned(
                    fromByteOffset: index * 4, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: bits))
            }
        }
        for (index, value) in values.enumerated() {
            guard value.isFinite else { throw .notFinite(tensor: name, index: index) }
            guard !positive || value > 0 else { throw .notPositive(tensor: name, index: index) }
        }
        return values
    }
}
