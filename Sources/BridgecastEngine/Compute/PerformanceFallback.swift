// Why forecasts are computed more slowly than they could be: results are the same.
public import BridgecastSupport

/// Why slower kernels than the best are in use.
public enum PerformanceFallback: Failure, Equatable {
    /// This CPU has none of the SIMD kernels.
    case noKernels
    /// The environment forces others.
    case forced(InstructionSet, best: InstructionSet)
    /// The environment names kernels that there are not, which a library ignores.
    case ignored(InstructionSetError, used: InstructionSet)

    /// Why this process computes more slowly than it could; nil if it does not.
    public static let current: PerformanceFallback? = {
        do throws(InstructionSetError) {
            return found(forced: try InstructionSet.forced(), of: InstructionSet.available)
        } catch {
            return .ignored(error, used: .best)
        }
    }()

    /// - Parameter available: What this CPU has, slowest first.
    static func found(
        forced: InstructionSet?, of available: [InstructionSet]
    ) -> PerformanceFallback? {
        let best = available.last ?? .scalar
        if let forced, forced != best { return .forced(forced, best: best) }
        return best == .scalar ? .noKernels : nil
    }

    /// Always ``FailureKind/unavailable``.
    public var kind: FailureKind { .unavailable }

    /// Other kernels give the same results.
    public var isMadeGood: Bool { true }

    /// What is slower.
    public var description: String {
        switch self {
        case .noKernels: "no SIMD kernels for this CPU; forecasts are right, but slower"
        case .forced(let forced, let best):
            "\(InstructionSet.environmentVariable) forces \(forced); this CPU has \(best)"
        case .ignored(let error, let used): "\(error); \(used) is in use"
        }
    }

    /// What to do about it.
    public var recovery: String {
        switch self {
        case .noKernels: "Nothing has to be done; a CPU with AVX2 or NEON is faster."
        case .forced, .ignored: "Unset \(InstructionSet.environmentVariable)."
        }
    }
}
