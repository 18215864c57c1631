// `bridgecast doctor`: is everything as it should be, and if not, what to do.
// Belongs here: `doctor` and its words; not: the checks of a store, which are its own (BridgecastStore).
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import BridgecastStore
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks store, model and machine, and says what to do about each finding.",
        discussion:
            "Ends with 0 if nothing is broken, else with 65. Nothing is changed.")

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        // What is wrong with the table of paths is a finding like others.
        try await reportingFailures(usesPaths: false) {
            let url = try store.url()
            let findings = HistoryStore.check(url, at: .now) + [model(), machine()] + paths()
            switch format {
            case .json: try Console.print(try json(findings))
            case .table:
                for finding in findings {
                    try Console.print(
                        "\(word(finding.severity)) \(finding.subject): \(finding.finding)")
                    if let advice = finding.advice { try Console.print("          -> \(advice)") }
                }
                try Console.print("\nstore: \(url.path)")
            }
            if findings.contains(where: { $0.severity == .error }) {
                throw ExitCode(CommandFailure.Code.data.rawValue)
            }
        }
    }

    private func word(_ severity: StoreFinding.Severity) -> String {
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
        let isScalar = InstructionSet.preferred == .scalar
        return StoreFinding(
            severity: isScalar ? .warning : .ok, subject: "kernels",
            finding: isScalar
                ? "no SIMD kernels for this CPU"
                : "\(InstructionSet.preferred) kernels in use",
            advice: isScalar ? "forecasts are right, but slower" : nil)
    }

    /// The host's own table of compute paths, if the environment names one.
    private func paths() -> [StoreFinding] {
        do {
            guard try PathTable.forced() != nil else { return [] }
            return [
                StoreFinding(
                    severity: .ok, subject: "paths",
                    finding:
                        "the table of \(PathTable.environmentVariable) says what runs on OpenBLAS",
                    advice: nil)
            ]
        } catch {
            return [
                StoreFinding(
                    severity: .error, subject: "paths", finding: CommandFailure(error).message,
                    advice: "make the table anew with bridgecast bench --tune FILE, or unset "
                        + PathTable.environmentVariable)
            ]
        }
    }
}
