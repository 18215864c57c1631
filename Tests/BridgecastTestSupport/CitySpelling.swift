// The latest shipped records as the city gives them elsewhere, written from training-data by its own spelling.
package import Foundation

/// Records of openings as two of the city's sources write them.
package enum CitySpelling {
    /// As the portal's export button writes them: headers in title case, American dates, CR LF.
    package static func portalExport(latest count: Int) throws -> Data {
        let header = [
            "Entity Type", "Entity Name", "Entity ID", "Open Date Time", "Close Date Time",
            "Minutes Open", "Latitude", "Longitude",
        ]
        let lines = try records().rows.suffix(count).map { row in
            row.enumerated().map { $0 == 3 || $0 == 4 ? american($1) : $1 }
        }
        let text = ([header] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
        return Data(text.utf8)
    }

    /// As the JSON endpoint writes them: the newest first, and numbers as text.
    package static func sodaPage(latest count: Int) throws -> Data {
        let (columns, rows) = try records()
        let objects = rows.suffix(count).reversed().map { row in
            let fields = zip(columns, row).map { "\"\($0)\": \"\($1)\"" }
            return "{\n" + fields.joined(separator: ",\n") + "\n}"
        }
        return Data(("[\n" + objects.joined(separator: ",\n") + "\n]").utf8)
    }

    /// The records of the later years, oldest first: every field of theirs is quoted, and none holds a comma.
    private static func records() throws -> (columns: [String], rows: [[String]]) {
        let text = try String(
            contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: ",").map { String($0.dropFirst().dropLast()) }
        }
        return (lines[0], Array(lines.dropFirst()))
    }

    /// `02/19/2026 01:01:00 PM` for `2026-02-19T13:01:00.000`.
    private static func american(_ time: String) -> String {
        let parts = time.split { !$0.isNumber }
        let hour = Int(parts[3]) ?? 0
        let twelve = (hour + 11) % 12 + 1
        return "\(parts[1])/\(parts[2])/\(parts[0]) \(twelve < 10 ? "0" : "")\(twelve)"
            + ":\(parts[4]):\(parts[5]) \(hour < 12 ? "AM" : "PM")"
    }
}
