// Why a model file is refused: one case per rule of models/FORMAT.md.
public import BridgecastSupport
public import BridgecastCore

/// Why a model file was refused; each rule of the format has its own case.
public indirect enum ModelFileError: Failure, Equatable {
    /// A file that was to be loaded, and what is wrong with it.
    case refused(file: String, ModelFileError)
    /// The system does not let it be read, or there is none.
    case unreadable(reason: String, isMissing: Bool = false)
    case tooShort(bytes: Int, min: Int)
    case tooLong(bytes: Int, max: Int)
    case notAModelFile
    case byteSwapped
    case unsupportedVersion(found: UInt32, supported: UInt32)
    case reservedBytesNotZero
    case headerTooLong(bytes: UInt64, max: Int)
    case headerTruncated(bytes: UInt64, available: Int)
    case digestMismatch(stored: String, computed: String)
    case headerUnreadable(reason: String)
    case schemaHashWrong(stored: String, listed: String)
    case schemaMismatch(file: String, builder: String)
    case binsMismatch(file: [Double])
    case bridgesMismatch(file: [String])
    case tooManyTensors(count: Int, max: Int)
    case badTensorName(String)
    case duplicateTensor(String)
    case unknownNumberFormat(tensor: String, format: String)
    case sizeOverflow(tensor: String)
    case sizeMismatch(tensor: String, expectedBytes: Int, foundBytes: Int)
    case misplacedTensor(tensor: String, expectedOffset: Int, foundOffset: Int)
    case paddingNotZero(offset: Int)
    case bytesLeftOver(count: Int)
    case beyondEnd(tensor: String, end: Int, available: Int)
    case missingTensor(String)
    case unexpectedTensor(String)
    case wrongShape(tensor: String, expected: [Int], found: [Int])
    case wrongNumberFormat(tensor: String, expected: String, found: String)
    case badLayers(reason: String)
    case notFinite(tensor: String, index: Int)
    case notPositive(tensor: String, index: Int)
    case valueOutOfRange(field: String, reason: String)
    case impossibleLengths
    case sumsTooLarge(layer: Int)
    case valuesTooLarge(layer: Int)

    /// Decides exit codes and statuses.
    public var kind: FailureKind {
        switch self {
        case .refused(_, let error): error.kind
        case .unreadable(_, let isMissing): isMissing ? .missing : .io
        default: .data
        }
    }

    /// The name of the rule that is broken: that of the case, for logs and for files of examples.
    public var rule: String {
        switch self {
        case .refused(_, let error): error.rule
        case .notAModelFile: "notAModelFile"
        case .byteSwapped: "byteSwapped"
        case .reservedBytesNotZero: "reservedBytesNotZero"
        case .impossibleLengths: "impossibleLengths"
        default: Mirror(reflecting: self).children.first?.label ?? "unknown"
        }
    }

    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .refused(let file, let error): "\(printable(file)): \(error.description)"
        case .unreadable(let reason, _): "cannot read the model file: \(reason)"
        case .tooShort(let bytes, let min):
            "the file is cut short: \(bytes) bytes, a model has at least \(min)"
        case .tooLong(let bytes, let max): "the file has \(bytes) bytes, more than \(max)"
        case .notAModelFile: "not a Bridgecast model: it does not start with BRIDGECM"
        case .byteSwapped: "the file's integers are big-endian; the format is little-endian"
        case .unsupportedVersion(let found, let supported):
            "the file has format version \(found), this program reads \(supported): "
                + (found > supported
                    ? "update bridgecast"
                    : "use the model that ships, or train yours again (`bridgecast train`)")
        case .reservedBytesNotZero: "bytes 12 to 15 are reserved and must be zero"
        case .headerTooLong(let bytes, let max):
            "the header claims \(bytes) bytes, more than \(max)"
        case .headerTruncated(let bytes, let available):
            "the header claims \(bytes) bytes but only \(available) follow: the file is cut short"
        case .digestMismatch(let stored, let computed):
            "the file is damaged: its digest is \(computed.prefix(16))..., "
                + "it should be \(stored.prefix(16))...; copy it again"
        case .headerUnreadable(let reason): "the header is not what it should be: \(reason)"
        case .schemaHashWrong(let stored, let listed):
            "the header's schemaHash is \(stored), but its list of inputs hashes to \(listed)"
        case .schemaMismatch(let file, let builder):
            "the model was trained on other inputs: its schema is \(file), "
                + "this program's is \(builder); train it again"
        case .binsMismatch(let file): "the model has other delay bins (minutes): \(file)"
        case .bridgesMismatch(let file): "the model has other bridges (ids): \(file)"
        case .tooManyTensors(let count, let max): "\(count) tensors, more than \(max)"
        case .badTensorName(let name):
            "tensor name '\(name.prefix(64))' is not 1 to 64 of a-z A-Z 0-9 . _"
        case .duplicateTensor(let name): "tensor \(name) appears twice in the header"
        case .unknownNumberFormat(let tensor, let format):
            "tensor \(tensor): number format '\(format)' is not i8, f16 or f32"
        case .sizeOverflow(let tensor): "tensor \(tensor): its size is not a possible number"
        case .sizeMismatch(let tensor, let expected, let found):
            "tensor \(tensor): its shape needs \(expected) bytes, the header gives \(found)"
        case .misplacedTensor(let tensor, let expected, let found):
            "tensor \(tensor): should start at byte \(expected), the header says \(found)"
        case .paddingNotZero(let offset): "byte \(offset) is padding and must be zero"
        case .bytesLeftOver(let count): "\(count) bytes after the last tensor belong to nothing"
        case .beyondEnd(let tensor, let end, let available):
            "tensor \(tensor): ends at byte \(end), but only \(available) are there"
        case .missingTensor(let name): "tensor \(name) is missing"
        case .unexpectedTensor(let name): "tensor \(name) is not part of such a model"
        case .wrongShape(let tensor, let expected, let found):
            "tensor \(tensor): shape \(found), should be \(expected)"
        case .wrongNumberFormat(let tensor, let expected, let found):
            "tensor \(tensor): number format \(found), should be \(expected)"
        case .badLayers(let reason): "the layers do not fit: \(reason)"
        case .notFinite(let tensor, let index): "tensor \(tensor)[\(index)] is not a finite number"
        case .notPositive(let tensor, let index): "tensor \(tensor)[\(index)] must be above zero"
        case .valueOutOfRange(let field, let reason): "header field \(field): \(reason)"
        case .impossibleLengths:
            "tensor lengths.parameters: a coefficient is beyond 30 or a share not in 0...1; "
                + "train the model again"
        case .sumsTooLarge(let layer):
            "layer \(layer): its sums could exceed 2^24, beyond what the format allows"
        case .valuesTooLarge(let layer):
            "layer \(layer): its outputs could exceed 1e30, beyond what the format allows"
        }
    }
}
