// Reads .bcm files: checks everything about the bytes before a number is used.
private import BridgecastCore
private import BridgecastDigest
public import Foundation
private import Glibc

/// Reads model files.
public enum ModelFile {
    /// Reads and validates a model file.
    ///
    /// The file is read whole into memory: later changes to it cannot reach the model.
    /// - Throws: ``ModelFileError``, one case per rule of the format.
    public static func read(_ url: URL) throws(ModelFileError) -> LoadedModel {
        try read(bytes(of: url))
    }

    /// Reads and validates a network that need not forecast bridges: any inputs and outputs.
    ///
    /// All rules of the format hold, but for those that tie a file to this program's inputs, delay
    /// bins and bridges.
    /// - Throws: ``ModelFileError``.
    public static func readNetwork(
        _ url: URL, instructionSet: InstructionSet = .preferred
    ) throws(ModelFileError) -> (header: ModelHeader, network: CompiledNetwork) {
        try readNetwork(bytes(of: url), instructionSet: instructionSet)
    }

    /// Reads and validates a network from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func readNetwork(
        _ bytes: [UInt8], instructionSet: InstructionSet = .preferred
    ) throws(ModelFileError) -> (header: ModelHeader, network: CompiledNetwork) {
        let container = try ModelContainer(bytes)
        let assembler = try ModelAssembler(container)
        return (container.header, try assembler.network(on: instructionSet))
    }

    /// Reads and validates a model from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func read(_ bytes: [UInt8]) throws(ModelFileError) -> LoadedModel {
        let container = try ModelContainer(bytes)
        return try ModelAssembler(container).model()
    }

    /// All bytes of a file.
    ///
    /// It is read, not mapped: whatever happens to the file later, even while it is
    /// being checked, cannot reach the model, and a file that shrinks cannot end the program.
    private static func bytes(of url: URL) throws(ModelFileError) -> [UInt8] {
        // Opening a pipe that nobody writes would wait for ever.
        let descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0, let file = unsafe fdopen(descriptor, "rb") else {
            if descriptor >= 0 { close(descriptor) }
            throw unreadable(url)
        }
        defer { unsafe fclose(file) }
        try awaitBytes(descriptor, url)
        var information = stat()
        guard unsafe fstat(fileno(file), &information) == 0,
            information.st_mode & S_IFMT != S_IFDIR
        else { throw .unreadable(reason: "\(url.path): it is not a file") }
        let limit = ModelFileFormat.largestFileBytes
        // A pipe has no size; what it gives is read up to the limit all the same.
        let expected = max(0, min(Int(information.st_size), limit))
        var bytes: [UInt8] = []
        var room = max(expected, 4096) + 1
        while bytes.count <= limit {
            let before = bytes.count
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                unsafe count = fread(buffer.baseAddress, 1, buffer.count, file)
            }
            if chunk.isEmpty { break }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            if bytes.count - before < room { break }
            room = 1 << 20
        }
        guard unsafe ferror(file) == 0 else { throw unreadable(url) }
        guard bytes.count <= limit else { throw .tooLong(bytes: bytes.count, most: limit) }
        return bytes
    }

    /// Waits until something can be read, or the end; a pipe's writer has so many seconds to begin.
    private static func awaitBytes(_ descriptor: Int32, _ url: URL) throws(ModelFileError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, pipeSeconds * 1000) > 0 else {
            throw .unreadable(
                reason: "\(url.path): a pipe into which nobody has written for \(pipeSeconds) s")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    private static let pipeSeconds: Int32 = 5

    private static func unreadable(_ url: URL) -> ModelFileError {
        .unreadable(reason: "\(url.path): \(unsafe String(cString: strerror(errno)))")
    }
}

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
        var names: Set<String> = []
        var end = headerEnd
        for tensor in header.tensors {
            try checkName(tensor.name)
            guard names.insert(tensor.name).inserted else { throw .duplicateTensor(tensor.name) }
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

/// An unsigned integer from its little-endian bytes.
func littleEndian<T: FixedWidthInteger & UnsignedInteger>(
    _ bytes: ArraySlice<UInt8>, as type: T.Type
) -> T {
    bytes.reversed().reduce(0) { $0 << 8 | T($1) }
}
