// Why onnxruntime cannot be measured.
public import BridgecastCore
private import Foundation
private import Glibc

/// Why onnxruntime cannot be measured.
public struct OnnxRuntimeError: Failure {
    /// Whose matter it is.
    public var kind: FailureKind { .missing }

    /// What went wrong, and where.
    public let description: String
}
