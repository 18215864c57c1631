// A file of SDOT records, in any of its forms, as parsed records plus everything that was wrong.
public import BridgecastCore
public import Foundation

/// The forms in which the city hands out its records.
public enum RecordForm: String, Sendable, Codable {
    /// Comma-separated values, the API's or the portal's.
    case csv
    /// A JSON array of objects, as SODA gives.
    case json
}

/// A record that was not used.
package struct RejectedRecord: Sendable {
    package let location: RecordLocation
    package let rejection: RecordRejection
    package let field: String
    package let value: String
}

/// The records of one file.
public struct RecordFile: Sendable {
    /// The file.
    public let input: InputFile
    /// What form it has.
    public let form: RecordForm
    /// Understood records in file order.
    package private(set) var records: [ParsedRecord] = []
    /// The others in file order.
    package private(set) var rejected: [RejectedRecord] = []

    /// Records in the file, good or bad.
    public var rowsRead: Int { records.count + rejected.count }
    /// The openings of the good ones.
    public var openings: [Opening] { records.map(\.opening) }

    /// Reads a file, detecting its form.
    ///
    /// - Parameter now: Records of later times are rejected.
    /// - Throws: ``RecordFileError`` if the file as a whole is not what it claims to be; a bad
    ///   record is never thrown, only listed.
    public init(_ url: URL, now: Timestamp) throws(RecordFileError) {
        input = try InputFile(url)
        let parser = SDOTRecordParser(now: now)
        switch input.firstCharacter {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            form = .json
            try readJSON(parser)
        default:
            form = .csv
            try readCSV(parser)
        }
        guard rowsRead > 0 else {
            throw RecordFileError(.content, path: input.path, reason: "the file holds no records")
        }
    }

    private mutating func readCSV(_ parser: SDOTRecordParser) throws(RecordFileError) {
        var scanner = CSVScanner(input.text)
        guard let header = scanner.next(), header.defect == nil else {
            throw RecordFileError(.content, path: input.path, reason: "line 1 is no CSV header")
        }
        let columns = header.fields.map { SDOTField(header: $0) }
        try checkColumns(columns, header.fields)
        while let row = scanner.next() {
            let location = RecordLocation(number: row.line, unit: .line)
            if let defect = row.defect {
                reject(location, .badQuoting, field: "\(defect)", value: row.fields.last ?? "")
            } else if row.fields.count != columns.count {
                reject(
                    location, .wrongShape, field: "\(row.fields.count) fields",
                    value: "expected \(columns.count)")
            } else {
                var record = SDOTRecord(location: location, fields: [:])
                for (column, field) in zip(columns, row.fields) {
                    if let column { record.fields[column] = trimmed(field) }
                }
                add(record, parser)
            }
        }
    }

    private func checkColumns(
        _ columns: [SDOTField?], _ names: [String]
    ) throws(RecordFileError) {
        var missing = SDOTField.required.filter { !columns.contains($0) }.map(\.rawValue)
        if !columns.contains(.entityid), !columns.contains(.entityname) {
            missing.append("entityid or entityname")
        }
        guard missing.isEmpty else {
            let found = names.prefix(12).map { String($0.prefix(30)) }.joined(separator: ", ")
            throw RecordFileError(
                .content, path: input.path,
                reason: "not SDOT opening records: no column \(missing.joined(separator: ", ")) "
                    + "in line 1 (found: \(found))")
        }
        for field in SDOTField.allCases where columns.filter({ $0 == field }).count > 1 {
            throw RecordFileError(
                .content, path: input.path, reason: "column \(field.rawValue) stands twice")
        }
    }

    private mutating func readJSON(_ parser: SDOTRecordParser) throws(RecordFileError) {
        let entries: [JSONEntry]
        do {
            entries = try JSONDecoder().decode([JSONEntry].self, from: Data(input.text))
        } catch {
            let isObject = input.firstCharacter == UInt8(ascii: "{")
            throw RecordFileError(
                .content, path: input.path,
                reason: isObject
                    ? "a JSON object, not an array of records; is it an error message of the API?"
                    : "not valid JSON, or cut short: an array of records was expected")
        }
        for (index, entry) in entries.enumerated() {
            let location = RecordLocation(number: index + 1, unit: .record)
            guard let fields = entry.fields else {
                reject(location, .wrongShape, field: "entry", value: "no JSON object")
                continue
            }
            var record = SDOTRecord(location: location, fields: [:])
            for (name, value) in fields {
                if let field = SDOTField(header: name) { record.fields[field] = trimmed(value) }
            }
            add(record, parser)
        }
    }

    private mutating func add(_ record: SDOTRecord, _ parser: SDOTRecordParser) {
        switch parser.parse(record) {
        case .success(let parsed): records.append(parsed)
        case .failure(let defect):
            reject(record.location, defect.rejection, field: defect.field, value: defect.value)
        }
    }

    private mutating func reject(
        _ location: RecordLocation, _ rejection: RecordRejection, field: String, value: String
    ) {
        rejected.append(
            RejectedRecord(
                location: location, rejection: rejection, field: field,
                value: String(value.prefix(60))))
    }

    /// A field without surrounding blanks, or nil if nothing is left.
    private func trimmed(_ text: String) -> String? {
        let content = text.trimmingCharacters(in: .whitespaces)
        return content.isEmpty || content.lowercased() == "null" ? nil : content
    }
}

/// An entry of a JSON array: its scalar fields as text, or nil if it is no object.
private struct JSONEntry: Decodable {
    let fields: [String: String]?

    init(from decoder: any Decoder) throws {
        guard let scalars = try? [String: JSONScalar](from: decoder) else {
            fields = nil
            return
        }
        fields = scalars.compactMapValues(\.text)
    }
}

/// A JSON value as text; containers and null have none.
private struct JSONScalar: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.singleValueContainer() else {
            text = nil
            return
        }
        if let string = try? container.decode(String.self) {
            text = string
        } else if let integer = try? container.decode(Int.self) {
            text = String(integer)
        } else if let number = try? container.decode(Double.self) {
            text = String(number)
        } else {
            text = nil
        }
    }
}
