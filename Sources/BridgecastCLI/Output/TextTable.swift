// Plain text tables, as every command prints them.
import BridgecastCore

/// A table with aligned columns.
package struct TextTable {
    /// How a column is aligned.
    package enum Alignment { case left, right }

    /// Names of routes and places that are longer are cut, so that a table keeps its width.
    static let longestName = 100

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
            let line = indent + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
