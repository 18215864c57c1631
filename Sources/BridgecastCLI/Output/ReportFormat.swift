// `--format` of commands that print a report.
import ArgumentParser

/// `--format` of reports.
package enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json
}
