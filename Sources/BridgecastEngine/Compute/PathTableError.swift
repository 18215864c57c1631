// Why a table of compute paths cannot be used.
public import BridgecastCore

/// The file that `BRIDGECAST_PATHS` names is not there, cannot be read or is no table for the kernels in use.
public struct PathTableError: Failure, Equatable {
    /// Whose matter it is.
    public let kind: FailureKind
    /// The file, the field and what is wrong.
    public let reason: String

    init(_ reason: String, kind: FailureKind) { (self.reason, self.kind) = (reason, kind) }

    init(_ path: String, _ problem: String) { self.init("\(path): \(problem)", kind: .data) }

    /// What is wrong, and who names the file.
    public var description: String { "\(PathTable.environmentVariable): \(reason)" }
}
