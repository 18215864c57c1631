// The container of a model file, checked before a number is used; see models/FORMAT.md.
private import BridgecastCore
internal import BridgecastSupport

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

    func content(of tensor: ModelHeader.Tensor) -> ArraySlice<UInt8> {
        bytes[tensor.offset..<tensor.offset + tensor.byteCount]
    }

    private static func headerRange(_ bytes: [UInt8]) throws(ModelFileError) -> Range<Int> {
        let minBytes = ModelFileFormat.preambleBytes + ModelFileFormat.digestBytes
        guard bytes.starts(with: ModelFileFormat.magic) else {
            if ModelFileFormat.magic.starts(with: bytes) {
                throw .tooShort(bytes: bytes.count, min: minBytes)
            }
            throw .notAModelFile
        }
        guard bytes.count >= minBytes else { throw .tooShort(bytes: bytes.count, min: minBytes) }
        let version = littleEndian(bytes[8..<12], as: UInt32.self)
        guard version == ModelFileFormat.version else {
            if version.byteSwapped == ModelFileFormat.version { throw .byteSwapped }
            throw .unsupportedVersion(found: version, supported: ModelFileFormat.version)
        }
        guard bytes[12..<16].allSatisfy({ $0 == 0 }) else { throw .reservedBytesNotZero }
        let length = littleEndian(bytes[16..<24], as: UInt64.self)
        guard length <= ModelFileFormat.largestHeaderBytes else {
            throw .headerTooLong(bytes: length, max: ModelFileFormat.largestHeaderBytes)
        }
        let available = bytes.count - minBytes
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
        let max = ModelFileFormat.maxTensors
        guard header.tensors.count <= max else {
            throw .tooManyTensors(count: header.tensors.count, max: max)
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

// MARK: - The format

package enum ModelFileFormat {
    /// First bytes of every model file: "BRIDGECM".
    package static let magic: [UInt8] = Array("BRIDGECM".utf8)
    package static let version: UInt32 = 3
    /// Magic, version, four reserved zero bytes, header length.
    package static let preambleBytes = 24
    /// SHA-256 of all bytes before it.
    package static let digestBytes = 32
    /// Tensors start at multiples of this.
    static let alignment = 64

    // Limits: refused before anything is allocated.
    static let largestFileBytes = 64 << 20
    static let largestHeaderBytes = 1 << 20
    static let maxTensors = 64
    static let maxLayers = 16
    static let widestLayer = 4096
    static let longestName = 64
    /// No input may drive an output beyond this: then no forecast can come out as NaN.
    static let largestOutput = 1e30

    /// No sum of an int8 layer, bias included, reaches this.
    static let largestSum = Double(1 << 25)
    /// A hidden int8 layer's sum times its multiplier fits an int32.
    static let largestHiddenMultiplier = 64.0

    package static func aligned(_ offset: Int) -> Int {
        (offset + alignment - 1) / alignment * alignment
    }

    static func bytesPerNumber(_ dtype: String) -> Int? {
        switch dtype {
        case "i8": 1
        case "f16": 2
        case "f32": 4
        default: nil
        }
    }
}

package func littleEndian<T: FixedWidthInteger & UnsignedInteger>(
    _ bytes: ArraySlice<UInt8>, as type: T.Type
) -> T {
    bytes.reversed().reduce(0) { $0 << 8 | T($1) }
}

package func littleEndianBytes(of value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
