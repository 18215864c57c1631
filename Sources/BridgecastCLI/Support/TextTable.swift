// Plain text tables and numbers, as every command prints them.
import BridgecastCore
package import Foundation

/// A table with aligned columns.
package struct TextTable {
    /// How a column is aligned.
    package enum Alignment { case left, right }

    private let alignments: [Alignment]
    private var rows: [[String]]

    /// Begins a table with its header.
    package init(_ header: [String], _ alignments: [Alignment]) {
        precondition(header.count == alignments.count)
        self.alignments = alignments
        rows = [header]
    }

    /// Adds a row of as many cells.
    package mutating func add(_ row: [String]) {
        precondition(row.count == alignments.count)
        rows.append(row.map { printable($0, most: 500) })
    }

    /// The table with two blanks between columns and a rule under the header.
    package func text(indent: String = "") -> String {
        let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([rows[0], rule] + rows.dropFirst()).map { row in
            let cells = row.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                return alignments[column] == .left ? row[column] + blanks : blanks + row[column]
            }
            let line = indent + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}

/// A number with fixed decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
}

/// A probability in percent: whole numbers, one decimal below ten, and never a plain zero.
func percent(_ value: Double) -> String {
    if value < 0.0005 { return "<0.1 %" }
    return value * 100 < 9.95 ? "\(fixed(value * 100, 1)) %" : "\(fixed(value * 100, 0)) %"
}

/// A duration as minutes and seconds, such as `4:05`.
func minutesAndSeconds(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
}

/// A value as JSON with sorted keys, in snake_case unless they are to stay as they are.
///
/// - Parameter isLine: All on one line, for streams of documents.
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

/// JSON in which characters that a terminal would not show are escaped; they stand in texts only, and the encoder
/// escapes no more of them than RFC 8259 asks for.
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
