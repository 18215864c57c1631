// The container of a model file: header, and where each tensor's bytes lie, checked before a number is used.
private import BridgecastCore
private import BridgecastDigest

/// The validated container: header, and where each tensor's bytes lie.
struct ModelContainer {
    let header: ModelHeader
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(ModelFileError) {
        self.bytes = bytes
        let headerRange = try Self.headerRange(bytes)
        try Self.checkDigest(bytes)
        do {
            header = try ModelHeader(json: bytes[headerRange])
        } catch {
            throw .headerUnreadable(reason: error.reason)
        }
        try checkTensors(after: headerRange.upperBound)
    }

    /// The bytes of a tensor.
    func content(of tensor: ModelHeader.Tensor) -> ArraySlice<UInt8> {
        bytes[tensor.offset..<tensor.offset + tensor.byteCount]
    }

    private static func headerRange(_ bytes: [UInt8]) throws(ModelFileError) -> Range<Int> {
        let least = ModelFileFormat.preambleBytes + ModelFileFormat.digestBytes
        guard bytes.starts(with: ModelFileFormat.magic) else {
            if ModelFileFormat.magic.starts(with: bytes) {
                throw .tooShort(bytes: bytes.count, least: least)
            }
            throw .notAModelFile
        }
        guard bytes.count >= least else { throw .tooShort(bytes: bytes.count, least: least) }
        let version = littleEndian(bytes[8..<12], as: UInt32.self)
        guard version == ModelFileFormat.version else {
            if version.byteSwapped == ModelFileFormat.version { throw .byteSwapped }
            throw .unsupportedVersion(found: version, supported: ModelFileFormat.version)
        }
        guard bytes[12..<16].allSatisfy({ $0 == 0 }) else { throw .reservedBytesNotZero }
        let length = littleEndian(bytes[16..<24], as: UInt64.self)
        guard length <= ModelFileFormat.largestHeaderBytes else {
            throw .headerTooLong(bytes: length, most: ModelFileFormat.largestHeaderBytes)
        }
        let available = bytes.count - least
        guard length <= available else {
            throw .headerTruncated(bytes: length, available: available)
        }
        return ModelFileFormat.preambleBytes..<ModelFileFormat.preambleBytes + Int(length)
    }

    private static func checkDigest(_ bytes: [UInt8]) throws(ModelFileError) {
        let end = bytes.count - ModelFileFormat.digestBytes
        let computed = SHA256.hash(bytes[..<end])
        guard computed.elementsEqual(bytes[end...]) else {
            throw .digestMismatch(
                stored: hexadecimal(bytes[end...]), computed: hexadecimal(computed))
        }
    }

    private func checkTensors(after headerEnd: Int) throws(ModelFileError) {
        let most = ModelFileFormat.mostTensors
        guard header.tensors.count <= most else {
            throw .tooManyTensors(count: header.tensors.count, most: most)
        }
        let available = bytes.count - ModelFileFormat.digestBytes
        var end = headerEnd
        for (index, tensor) in header.tensors.enumerated() {
            try checkName(tensor.name)
            guard !header.tensors[..<index].contains(where: { $0.name == tensor.name }) else {
                throw .duplicateTensor(tensor.name)
            }
            try checkSize(tensor)
            let start = ModelFileFormat.aligned(end)
            guard tensor.offset == start else {
                throw .misplacedTensor(
                    tensor: tensor.name, expectedOffset: start, foundOffset: tensor.offset)
            }
            guard start <= available, tensor.byteCount <= available - start else {
                throw .beyondEnd(
                    tensor: tensor.name, end: start + tensor.byteCount, available: available)
            }
            try checkPadding(end..<start)
            end = start + tensor.byteCount
        }
        guard end == available else { throw .bytesLeftOver(count: available - end) }
    }

    private func checkName(_ name: String) throws(ModelFileError) {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, !name.isEmpty, name.utf8.count <= ModelFileFormat.longestName else {
            throw .badTensorName(name)
        }
    }

    private func checkSize(_ tensor: ModelHeader.Tensor) throws(ModelFileError) {
        guard var expected = ModelFileFormat.bytesPerNumber(tensor.dtype) else {
            throw .unknownNumberFormat(tensor: tensor.name, format: tensor.dtype)
        }
        guard !tensor.shape.isEmpty, tensor.shape.count <= 4 else {
            throw .sizeOverflow(tensor: tensor.name)
        }
        for dimension in tensor.shape {
            let (product, overflow) = expected.multipliedReportingOverflow(by: dimension)
            guard dimension > 0, !overflow, product <= ModelFileFormat.largestFileBytes else {
                throw .sizeOverflow(tensor: tensor.name)
            }
            expected = product
        }
        guard expected == tensor.byteCount else {
            throw .sizeMismatch(
                tensor: tensor.name, expectedBytes: expected, foundBytes: tensor.byteCount)
        }
    }

    private func checkPadding(_ range: Range<Int>) throws(ModelFileError) {
        for offset in range where bytes[offset] != 0 { throw .paddingNotZero(offset: offset) }
    }
}
