// What a benchmark ran on, and what in the environment would falsify it.
internal import BridgecastEngine
private import Foundation

/// The machine and the settings that figures depend on.
public struct Machine: Sendable, Encodable {
    /// The CPU's own name.
    public let cpu: String
    /// Its family and model, which tell generations apart that share a name.
    public let familyAndModel: String
    /// Processors that may be used.
    public let processors: Int
    /// Megahertz as the kernel states them.
    public let clockMHz: String
    /// The instruction set of our kernels.
    public let instructionSet: String
    /// All that this CPU could run.
    public let availableInstructionSets: [String]
    /// What OpenBLAS has chosen.
    public let openBLASCore: String
    /// Median cost of reading the clock, nanoseconds: part of every call timed alone.
    public let clockReadNanoseconds: Double
    /// What in the environment makes the figures worth less.
    public let warnings: [String]

    /// Looks at this machine.
    public init() {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        func field(_ name: String) -> String {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + "\t") }
            let value = line?.split(separator: ":", maxSplits: 1).last ?? "unknown"
            return value.trimmingCharacters(in: .whitespaces)
        }
        cpu = field("model name")
        familyAndModel = "family \(field("cpu family")) model \(field("model"))"
        clockMHz = field("cpu MHz")
        processors = ProcessInfo.processInfo.activeProcessorCount
        instructionSet = InstructionSet.preferred.rawValue
        availableInstructionSets = InstructionSet.available.map(\.rawValue)
        openBLASCore = BLAS.coreName
        clockReadNanoseconds = Stopwatch.overhead()
        warnings = Self.warnings(ProcessInfo.processInfo.environment, core: BLAS.coreName)
    }

    private static func warnings(_ environment: [String: String], core: String) -> [String] {
        var warnings: [String] = []
        for name in ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"] {
            if let value = environment[name] {
                warnings.append(
                    "\(name)=\(value) forces OpenBLAS (now \(core)); figures of blas are worth "
                        + "nothing. Run: env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE ...")
            }
        }
        if InstructionSet.preferred != InstructionSet.best {
            warnings.append(
                "\(InstructionSet.environmentVariable) forces \(InstructionSet.preferred); this "
                    + "CPU has \(InstructionSet.best)")
        } else if InstructionSet.best == .scalar {
            warnings.append("this CPU has none of our SIMD kernels: simd is plain C")
        }
        return warnings
    }
}
