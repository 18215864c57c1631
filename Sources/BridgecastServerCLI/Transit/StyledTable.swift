// Tables whose cells have styles, for boards that are printed and boards that stand on a terminal.
import BridgecastCLI
import BridgecastCore

/// A table with aligned columns; columns without any content are left out.
struct StyledTable {
    /// What stands in a column.
    struct Column {
        let title: String
        var isRight = false
    }

    /// A text with its style.
    struct Cell {
        let text: String
        let style: StyledLine.Style

        init(_ text: String?, _ style: StyledLine.Style = .plain, most: Int = 60) {
            (self.text, self.style) = (printable(text ?? "", most: most), style)
        }
    }

    private let columns: [Column]
    private var rows: [(cells: [Cell], below: [StyledLine])] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row of as many cells, and lines that belong to it.
    mutating func add(_ cells: [Cell], below: [StyledLine] = []) {
        precondition(cells.count == columns.count)
        rows.append((cells, below))
    }

    /// Its lines, the header first; without rows none.
    func lines(indent: String = "") -> [StyledLine] {
        guard !rows.isEmpty else { return [] }
        let shown = columns.indices.filter { place in
            rows.contains { !$0.cells[place].text.isEmpty }
        }
        let widths = columns.indices.map { place in
            rows.reduce(columns[place].title.count) {
                max($0, $1.cells[place].text.terminalColumns)
            }
        }
        let header = columns.map { Cell($0.title, .dim) }
        return ([(header, [])] + rows).flatMap { cells, below in
            var line = StyledLine(indent)
            for place in shown {
                let isLast = place == shown.last
                let cell = cells[place]
                let isRight = columns[place].isRight
                // What ends a line is not filled up.
                let width = isLast && !isRight ? cell.text.terminalColumns : widths[place]
                line.append(cell.text, cell.style, width: width, right: isRight)
                if !isLast { line.append("  ") }
            }
            return [line] + below
        }
    }
}

extension [StyledLine] {
    /// The lines as plain text, without blanks at their ends.
    var plain: String {
        map { line in
            let text = line.text(width: .max, hasColour: false)
            return String(text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// Lines beside others, with a gap; the shorter column is filled up.
    static func beside(_ left: [StyledLine], _ right: [StyledLine], gap: Int = 4) -> [StyledLine] {
        let width = left.reduce(0) { Swift.max($0, $1.width) } + gap
        return (0..<Swift.max(left.count, right.count)).map { row in
            var line = row < left.count ? left[row] : StyledLine()
            guard row < right.count else { return line }
            line.append(String(repeating: " ", count: width - line.width))
            for (text, style) in right[row].pieces { line.append(text, style) }
            return line
        }
    }
}

extension StyledLine {
    /// Columns that it takes.
    var width: Int { pieces.reduce(0) { $0 + $1.text.terminalColumns } }
}
