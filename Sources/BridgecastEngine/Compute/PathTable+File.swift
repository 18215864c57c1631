// Reads the tables that `bridgecast bench --tune` writes, and the one that the environment names.
internal import BridgecastCore
private import Foundation

extension PathTable {
    /// The environment variable that names the file of a host's own table.
    public static let environmentVariable = "BRIDGECAST_PATHS"

    /// The table that the environment names, if it names one; read once.
    ///
    /// - Throws: ``PathTableError`` if the file cannot be read, is no table, or is one for other kernels than
    ///   ``InstructionSet/preferred``.
    public static func forced() throws(PathTableError) -> PathTable? { try environment.get() }

    static let environment = Result { () throws(PathTableError) in
        try forced(
            by: unsafe getenv(environmentVariable).map { unsafe String(cString: $0) },
            kernels: .preferred)
    }

    static func forced(
        by path: String?, kernels: InstructionSet
    ) throws(PathTableError) -> PathTable? {
        guard let path, !path.isEmpty else { return nil }
        let table = try read(path)
        guard table.instructionSet == kernels else {
            throw PathTableError(
                path,
                "field instruction_set: it was measured with the kernels of "
                    + "\(table.instructionSet), and those of \(kernels) are in use; "
                    + "make one for them: bridgecast bench --tune FILE")
        }
        return table
    }

    /// Reads a file.
    static func read(_ path: String) throws(PathTableError) -> PathTable {
        let bytes: [UInt8]
        do {
            bytes = try ModelFile.bytes(of: URL(fileURLWithPath: path))
        } catch .unreadable(let reason, let isMissing) {
            // It begins with the path.
            throw PathTableError(reason, kind: isMissing ? .missing : .io)
        } catch {
            throw PathTableError(path, error.description)
        }
        do throws(HeaderSyntaxError) {
            return try PathTable(json: bytes)
        } catch {
            throw PathTableError(path, error.reason)
        }
    }

    /// Reads a table; every field has to be there, and no other.
    init(json: [UInt8]) throws(HeaderSyntaxError) {
        var parser = HeaderParser(json[...])
        var (set, cpu, core) = (InstructionSet.scalar, "", "")
        var formats = PathTable(.scalar)
        try parser.object(["instruction_set", "cpu", "open_blas_core", "blas_from"]) {
            (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "instruction_set": set = try parser.instructionSet()
            case "cpu": cpu = try parser.string()
            case "open_blas_core": core = try parser.string()
            case "blas_from":
                try parser.object(WeightFormat.allCases.map(\.rawValue)) {
                    (name, parser) throws(HeaderSyntaxError) in
                    guard let format = WeightFormat(rawValue: name) else {
                        throw parser.fail("there is no such number format")
                    }
                    formats[format] = try parser.crossover()
                }
            default: throw parser.unknownField()
            }
        }
        try parser.finish()
        self.init(
            set, cpu: cpu, openBLASCore: core, int8: formats.int8, fp16: formats.fp16,
            fp32: formats.fp32)
    }
}

extension HeaderParser {
    fileprivate mutating func instructionSet() throws(HeaderSyntaxError) -> InstructionSet {
        let name = try string()
        guard let set = InstructionSet(rawValue: name) else {
            let known = InstructionSet.allCases.map(\.rawValue).joined(separator: ", ")
            throw fail("'\(printable(name, most: 40))' is none of \(known)")
        }
        return set
    }

    fileprivate mutating func crossover() throws(HeaderSyntaxError) -> PathTable.Crossover {
        var crossover = PathTable.Crossover()
        try object(["rows", "lists"]) { (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "rows": crossover.rows = try parser.batch()
            case "lists": crossover.lists = try parser.batch()
            default: throw parser.unknownField()
            }
        }
        return crossover
    }

    private mutating func batch() throws(HeaderSyntaxError) -> Int {
        if isNull() { return PathTable.Crossover.never }
        let rows = try integer(Int.self)
        guard rows >= 1 else { throw fail("\(rows) is no batch: 1 or more, or null for never") }
        return rows
    }

    fileprivate func unknownField() -> HeaderSyntaxError { fail("nobody reads it") }
}
