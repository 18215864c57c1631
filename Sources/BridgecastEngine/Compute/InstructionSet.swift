// Which of our kernels a CPU can run, and which one is used.
public import BridgecastCore
public import BridgecastSupport
package import CBridgecastKernels
private import Glibc

/// An instruction set that has kernels of its own.
public enum InstructionSet: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Plain C: the definition of every result, on any CPU.
    case scalar
    /// Every 64-bit arm CPU.
    case neon
    /// x86 with AVX2, FMA and F16C.
    case avx2
    /// x86 with AVX2 and the 256-bit dot products of AVX-VNNI.
    case avxvnni
    /// x86 with AVX-512 and its dot products.
    case avx512vnni

    /// Those that this CPU and this build have, slowest first; never empty.
    public static let available = allCases.filter {
        unsafe (bck_kernels_of($0.code) != nil)
    }

    /// The fastest that is available.
    public static var best: InstructionSet { available.last ?? .scalar }

    /// The environment variable that forces one, by its name.
    public static let environmentVariable = "BRIDGECAST_ISA"

    /// What the environment forces, if it names one that is available.
    ///
    /// - Throws: ``InstructionSetError`` if it names another.
    public static func forced() throws(InstructionSetError) -> InstructionSet? {
        try forced(by: unsafe getenv(environmentVariable).map { unsafe String(cString: $0) })
    }

    package static func forced(by name: String?) throws(InstructionSetError) -> InstructionSet? {
        guard let name, !name.isEmpty else { return nil }
        guard let set = InstructionSet(rawValue: name), available.contains(set) else {
            throw InstructionSetError(name: name)
        }
        return set
    }

    /// The default of kernels: the one the environment forces, else the best.
    ///
    /// Whatever the environment names wrongly is ignored here; the command refuses it.
    public static let preferred = (try? forced()) ?? best

    /// The name in `BRIDGECAST_ISA`.
    public var description: String { rawValue }

    package var code: bck_isa {
        switch self {
        case .scalar: BCK_SCALAR
        case .neon: BCK_NEON
        case .avx2: BCK_AVX2
        case .avxvnni: BCK_AVXVNNI
        case .avx512vnni: BCK_AVX512VNNI
        }
    }
}

/// `BRIDGECAST_ISA` names an instruction set that is unknown or that this CPU lacks.
public struct InstructionSetError: Failure, Equatable {
    /// What it names.
    public let name: String

    /// Decides exit codes and statuses.
    public var kind: FailureKind { .usage }

    /// What is wrong and what can be chosen.
    public var description: String {
        let choice = InstructionSet.available.map(\.rawValue).joined(separator: ", ")
        let known = InstructionSet(rawValue: name) == nil ? "is unknown" : "is not on this CPU"
        return "\(InstructionSet.environmentVariable)=\(name) \(known); choose from \(choice)"
    }
}
