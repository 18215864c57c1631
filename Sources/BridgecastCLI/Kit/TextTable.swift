// Text tables, numbers and JSON, as all commands print them. Tables with styles are in BridgecastServerCLI (TransitText).
import ArgumentParser
import BridgecastCore
internal import BridgecastSupport
package import Foundation

/// A table with aligned columns.
package struct TextTable {
    /// How a column is aligned.
    package enum Alignment { case left, right }

    /// Longer names of routes and places are cut, so that a table keeps its width.
    static let maxNameLength = 100

    private let alignments: [Alignment]
    private var rows: [[String]]

    package init(_ header: [String], _ alignments: [Alignment]) {
        precondition(header.count == alignments.count)
        self.alignments = alignments
        rows = [header]
    }

    /// Adds a row of as many cells.
    package mutating func add(_ row: [String]) {
        precondition(row.count == alignments.count)
        rows.append(row.map { printable($0, maxLength: 500) })
    }

    /// The table with two blanks between columns and a rule under the header.
    package func text(indent: String = "") -> String {
        let widths = alignments.indices.map { column in
            rows.map { $0[column].terminalColumns }.max() ?? 0
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([rows[0], rule] + rows.dropFirst()).map { row in
            let cells = row.indices.map { column in
                let blanks = String(
                    repeating: " ", count: widths[column] - row[column].terminalColumns)
                return alignments[column] == .left ? row[column] + blanks : blanks + row[column]
            }
            return (indent + cells.joined(separator: "  ")).trimmingTrailingBlanks()
        }.joined(separator: "\n")
    }
}

extension String {
    package func trimmingTrailingBlanks() -> String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}

// MARK: - Numbers

/// A number with fixed decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
}

/// A probability in percent: whole numbers, one decimal below ten, and never a plain zero.
func percent(_ value: Double) -> String {
    if value < 0.0005 { return "<0.1 %" }
    return value * 100 < 9.95 ? "\(fixed(value * 100, 1)) %" : "\(fixed(value * 100, 0)) %"
}

/// A number of things, such as `1 journey` or `2 journeys`.
func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// A duration as minutes and seconds, such as `4:05`.
package func minutesAndSeconds(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return "\(whole / 60):\(ClockText.twoDigits(whole % 60))"
}

// MARK: - JSON

/// A value as JSON with sorted keys, by default in snake_case.
///
/// - Parameter isLine: Whether it is one line, for streams of documents.
package func json(
    _ value: some Encodable,
    keys: JSONEncoder.KeyEncodingStrategy = .convertToSnakeCase, isLine: Bool = false
) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if !isLine { encoder.outputFormatting.insert(.prettyPrinted) }
    return escapingInvisible(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// JSON in which all unprintable characters are escaped; they occur in texts only, and the encoder escapes no more
/// of them than RFC 8259 requires.
private func escapingInvisible(_ json: String) -> String {
    if json.unicodeScalars.allSatisfy({ $0.isASCII && $0 != "\u{7F}" || $0.isPrintable }) {
        return json
    }
    var text = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
        if scalar == "\n" || scalar.isPrintable {
            text.append(scalar)
        } else {
            for unit in String(scalar).utf16 {
                text.append(contentsOf: String(format: "\\u%04x", Int(unit)).unicodeScalars)
            }
        }
    }
    return String(text)
}

/// `--format` of reports.
package enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json
}
