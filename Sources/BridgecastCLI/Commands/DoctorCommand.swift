// `bridgecast doctor`: checks of store, model and machine. Those of a store are in BridgecastStore.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastStore
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks store, model and machine, with advice for each finding.",
        discussion:
            "The exit code is 0 if nothing is broken, else 65. Nothing is changed.")

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let url = try store.url()
            let report = DoctorReport(
                store: url, findings: HistoryStore.check(url, at: .now) + [model(), machine()])
            switch format {
            case .json: try Console.print(try json(report))
            case .table:
                for finding in report.findings {
                    try Console.print(
                        "\(label(finding.severity)) \(finding.subject): \(finding.finding)")
                    if let advice = finding.advice { try Console.print("          -> \(advice)") }
                }
                try Console.print(
                    "\nstore: \(url.path)\nbridgecast \(report.version), \(report.system.name), "
                        + "Linux \(report.system.kernel), \(report.device.cpu)")
            }
            if report.findings.contains(where: { $0.severity == .error }) {
                throw ExitCode(CommandFailure.Code.data.rawValue)
            }
        }
    }

    private func label(_ severity: StoreFinding.Severity) -> String {
        switch severity {
        case .ok: "ok       "
        case .warning: "warning  "
        case .error: "ERROR    "
        }
    }

    private func model() -> StoreFinding {
        do {
            let model = try ModelLoading.load(nil)
            return StoreFinding(
                severity: .ok, subject: "model",
                finding: "\(model.header.name) (\(model.header.weightFormat.rawValue)) is sound")
        } catch {
            return StoreFinding(
                severity: .error, subject: "model", finding: CommandFailure(error).message,
                advice: "restore models/ of the checkout: git checkout models")
        }
    }

    private func machine() -> StoreFinding {
        guard let fallback = PerformanceFallback.current else {
            return StoreFinding(
                severity: .ok, subject: "kernels",
                finding: "\(InstructionSet.preferred) kernels in use")
        }
        return StoreFinding(
            severity: .warning, subject: "kernels", finding: "\(fallback)",
            advice: fallback.recovery)
    }
}
