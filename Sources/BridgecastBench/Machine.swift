internal import BridgecastEngine
private import Foundation

/// The machine and the settings that times depend on.
public struct Machine: Sendable, Encodable {
    /// The CPU's name.
    public let cpu: String
    /// Its family and model, which distinguish generations of the same name.
    public let familyAndModel: String
    /// Number of available processors.
    public let processors: Int
    /// MHz as reported by the kernel.
    public let clockMHz: String
    /// The instruction set of our kernels.
    public let instructionSet: String
    /// All instruction sets that this CPU can run.
    public let availableInstructionSets: [String]
    /// The kernels that OpenBLAS has chosen.
    public let openBLASCore: String
    /// Median cost of reading the clock, nanoseconds, which single calls include.
    public let clockReadNanoseconds: Double
    /// Settings of the environment that distort the times.
    public let warnings: [String]

    /// Describes this machine.
    public init() {
        let text = Self.description
        func field(_ name: String) -> String { Self.field(name, of: text) }
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

    /// The CPU's name; `unknown` if the kernel does not say.
    package static var cpuName: String { field("model name", of: description) }

    private static var description: String {
        (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    }

    private static func field(_ name: String, of text: String) -> String {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + "\t") }
        let value = line?.split(separator: ":", maxSplits: 1).last ?? "unknown"
        return value.trimmingCharacters(in: .whitespaces)
    }

    private static func warnings(_ environment: [String: String], core: String) -> [String] {
        var warnings: [String] = []
        for name in ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"] {
            if let value = environment[name] {
                warnings.append(
                    "\(name)=\(value) forces OpenBLAS (now \(core)); times of blas are "
                        + "meaningless. Run: env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE ...")
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
