// What `bridgecast doctor` finds out about this machine and the programs that run here, as one document.
import BridgecastBench
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastStore
internal import BridgecastSupport
import Foundation
import Glibc

/// The document of `doctor --format json`.
struct DoctorReport: Encodable {
    struct System: Encodable {
        /// The distribution's name and release.
        let name: String
        let kernel: String
        let architecture: String
    }

    struct Device: Encodable {
        let cpu: String
        let cores: Int
        let memoryBytes: Int
        let instructionSet: String
    }

    struct Memory: Encodable {
        let residentBytes: Int?
        /// The limit of the control group.
        let limitBytes: Int?
        let groupBytes: Int?
        let stalledPercent: Double?
        let isShort: Bool
    }

    struct Network: Encodable {
        /// The worst of the feeds' conditions; absent before the first contact.
        let condition: String?
        let feeds: [Diagnostics.FeedContact]
    }

    let version: String
    let system: System
    let device: Device
    let memory: Memory
    let network: Network
    /// The newest first.
    let lastErrors: [Diagnostics.ErrorEntry]
    let store: String
    let findings: [StoreFinding]

    /// - Parameters:
    ///   - store: Where the store is.
    ///   - file: The file next to which programs keep their diagnostics.
    ///   - findings: What was found about the store and the model.
    init(of store: StoreLocation, diagnosticsNextTo file: URL, findings: [StoreFinding]) {
        let noted = Result { () throws(DocumentError) in
            try DiagnosticLog.checked(DiagnosticLog.url(nextTo: file))
        }
        let diagnostics = (try? noted.get()) ?? Diagnostics()
        let memory = MemoryStatus.current()
        version = BridgecastVersion.current
        system = Self.system()
        device = Device(
            cpu: Machine.cpuName, cores: ProcessInfo.processInfo.activeProcessorCount,
            memoryBytes: Int(ProcessInfo.processInfo.physicalMemory),
            instructionSet: InstructionSet.preferred.rawValue)
        self.memory = Memory(
            residentBytes: memory.residentBytes, limitBytes: memory.limitBytes,
            groupBytes: memory.groupBytes, stalledPercent: memory.stalledPercent,
            isShort: memory.isShort(wasShort: false))
        network = Network(
            condition: diagnostics.feeds.compactMap { NetworkCondition(rawValue: $0.condition) }
                .max()?.rawValue,
            feeds: diagnostics.feeds)
        lastErrors = diagnostics.errors
        self.store = store.text
        self.findings =
            findings + Self.findings(ofDiagnostics: noted) + diagnostics.feeds.map(Self.finding)
            + Self.findings(ofErrors: diagnostics.errors) + Self.findings(of: memory)
    }

    /// A file that no program has written, or that was damaged since; the next note of a program replaces it.
    private static func findings(
        ofDiagnostics noted: Result<Diagnostics, DocumentError>
    ) -> [StoreFinding] {
        guard case .failure(let error) = noted else { return [] }
        return [
            StoreFinding(
                severity: .warning, subject: "diagnostics",
                finding: "\(error): what the programs have noted of feeds and errors is lost",
                advice: "remove the file: `serve` and `watch` begin a new one")
        ]
    }

    private static func system() -> System {
        var names = utsname()
        // Safe: the call fills the structure it is given, whose fields end with a zero.
        _ = unsafe uname(&names)
        func text<Field>(_ field: Field) -> String {
            unsafe withUnsafeBytes(of: field) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?
            .dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\""])
        return System(
            name: printable(name ?? "unknown", maxLength: 80), kernel: text(names.release),
            architecture: text(names.machine))
    }

    private static func finding(_ feed: Diagnostics.FeedContact) -> StoreFinding {
        let contact = feed.contactedAt.map { "last answered \($0)" } ?? "never answered"
        let name = "feed \(printable(feed.id, maxLength: 40))"
        guard let problem = feed.problem else {
            return StoreFinding(
                severity: .ok, subject: name,
                finding: "\(contact); the network is \(feed.condition)")
        }
        return StoreFinding(
            severity: .warning, subject: name,
            finding: "\(problem); \(contact); the network is \(feed.condition)",
            advice: feed.isReachable ? "check the feed's address and key" : "check the network")
    }

    /// The newest error that was not made good, with its recovery.
    private static func findings(ofErrors errors: [Diagnostics.ErrorEntry]) -> [StoreFinding] {
        let open = errors.filter { $0.result != RecoveryResult.recovered.name }
        guard let newest = open.first else { return [] }
        return [
            StoreFinding(
                severity: .warning, subject: "errors",
                finding: "\(open.count) kinds; \(newest.at) \(newest.source): \(newest.message)"
                    + (newest.count > 1 ? " (\(newest.count) times)" : ""),
                advice: newest.recovery)
        ]
    }

    private static func findings(of memory: MemoryStatus) -> [StoreFinding] {
        guard memory.isShort(wasShort: false) else { return [] }
        return [
            StoreFinding(
                severity: .warning, subject: "memory", finding: "memory is short",
                advice: "end other programs, or give this machine more memory")
        ]
    }
}
