// Where a history store is: a file of SQLite, or a schema of a PostgreSQL database that a URL names.
public import BridgecastSupport
public import Foundation

/// The location of a history store.
public enum StoreLocation: Sendable, Equatable {
    /// A file of SQLite.
    case file(URL)
    /// A schema of a PostgreSQL database.
    case database(DatabaseAddress)

    /// Reads the value of an option: the URL of a database, or else the path of a file.
    ///
    /// - Throws: ``DatabaseAddressError`` for a URL of PostgreSQL with a mistake.
    public init(_ text: String) throws(DatabaseAddressError) {
        self =
            DatabaseAddress.isAddress(text)
            ? .database(try DatabaseAddress(text)) : .file(URL(fileURLWithPath: text))
    }

    /// The path of the file, or the URL of the database, which holds no secrets.
    public var text: String {
        switch self {
        case .file(let url): url.path
        case .database(let address): address.text
        }
    }
}

/// A PostgreSQL database and the schema of the store in it, without secrets.
///
/// `postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full&schema=bridgecast`; several hosts are separated by commas, and
/// `?host=/run/postgresql` names the folder of a socket. The parameters are those of libpq (PostgreSQL manual, 34.1.2) that
/// ``libraryParameters`` lists, and two of ours, `schema` and `cluster`.
public struct DatabaseAddress: Sendable, Equatable {
    /// A parameter of libpq.
    public struct Parameter: Sendable, Equatable {
        /// Its keyword, such as `sslmode`.
        public let name: String
        /// Its value, not escaped.
        public let value: String
    }

    /// The URL as it was given.
    public let text: String
    /// What libpq connects with.
    public let parameters: [Parameter]
    /// The schema with the store's tables.
    public let schema: String
    /// What the programs that share the store call themselves together; a store of others is refused.
    public let cluster: String
    /// The file whose first line is the password; nil for that of the environment, or none.
    public var passwordFile: URL?
    /// How long the server may be silent while it carries out a command, seconds: long enough for an import of years.
    public var maxReplySeconds = 300.0

    /// The default of ``schema`` and ``cluster``.
    public static let defaultName = "bridgecast"
    /// Parameters of the URL that are handed to libpq.
    public static let libraryParameters = [
        "host", "port", "user", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl",
        "ssl_min_protocol_version", "channel_binding", "gssencmode", "connect_timeout",
        "application_name", "target_session_attrs",
    ]
    /// Parameters of libpq that have only certain values.
    private static let choices = [
        "sslmode": ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
        "target_session_attrs": [
            "any", "read-write", "read-only", "primary", "standby", "prefer-standby",
        ],
        "channel_binding": ["disable", "prefer", "require"],
        "gssencmode": ["disable", "prefer", "require"],
        "ssl_min_protocol_version": ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"],
    ]
    private static let schemes = ["postgres://", "postgresql://"]
    private static let maxNameBytes = 63

    /// Whether a text is to be a URL of PostgreSQL.
    public static func isAddress(_ text: String) -> Bool {
        // With too few slashes, it is one with a mistake.
        schemes.contains { text.lowercased().hasPrefix($0.dropLast(2)) }
    }

    /// Reads a URL.
    ///
    /// A host on another machine is reached with TLS unless `sslmode` says otherwise; only `verify-full` makes sure that it is
    /// the right one.
    ///
    /// - Throws: ``DatabaseAddressError``, also for a password: a command line is seen by every user of the machine.
    public init(_ text: String) throws(DatabaseAddressError) {
        guard let scheme = Self.schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
            throw .malformed("it does not begin with postgres://")
        }
        self.text = text
        let parts = try Parts(text.dropFirst(scheme.count))
        var values: [String: String] = [:]
        values["dbname"] = parts.database
        values["user"] = parts.user
        values["host"] = parts.hosts
        values["port"] = parts.ports
        var names = [Self.defaultName, Self.defaultName]
        var seen: Set<String> = []
        for (name, value) in parts.query {
            guard seen.insert(name).inserted else { throw .malformed("\(name) is in it twice") }
            switch name {
            case "schema": names[0] = value
            case "cluster": names[1] = value
            case "password", "sslpassword", "passfile": throw .secret
            case _ where !Self.libraryParameters.contains(name): throw .unknownParameter(name)
            case _ where values[name] != nil: throw .malformed("\(name) is in it twice")
            default: values[name] = value
            }
        }
        schema = names[0]
        cluster = names[1]
        guard Self.isName(schema), !schema.hasPrefix("pg_"), Self.isName(cluster) else {
            throw .malformed(
                "schema and cluster are names of lower-case letters, digits and _, at most "
                    + "\(Self.maxNameBytes), that begin with a letter")
        }
        if values["sslmode"] == nil, !Self.isLocal(values["host"]) { values["sslmode"] = "require" }
        try Self.check(values)
        parameters = values.sorted { $0.key < $1.key }.map {
            Parameter(name: $0.key, value: $0.value)
        }
    }

    private static func check(_ values: [String: String]) throws(DatabaseAddressError) {
        if let seconds = values["connect_timeout"], !(Int(seconds).map { 1...300 ~= $0 } ?? false) {
            throw .malformed("connect_timeout is a number of seconds from 1 to 300")
        }
        for (name, choices) in choices.sorted(by: { $0.key < $1.key }) {
            guard let value = values[name], !choices.contains(value) else { continue }
            throw .malformed("\(name) is one of \(choices.joined(separator: ", "))")
        }
    }

    private static func isName(_ text: String) -> Bool {
        let isFirst = text.utf8.first.map { 97...122 ~= $0 || $0 == UInt8(ascii: "_") } ?? false
        return isFirst && text.utf8.count <= maxNameBytes
            && text.utf8.allSatisfy { 97...122 ~= $0 || 48...57 ~= $0 || $0 == UInt8(ascii: "_") }
    }

    /// Whether all hosts are this machine: a socket's folder, a loopback address, or none.
    private static func isLocal(_ hosts: String?) -> Bool {
        (hosts ?? "").split(separator: ",").allSatisfy {
            $0.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains($0)
        }
    }
}

/// The parts of a URL without its scheme, not escaped any more.
private struct Parts {
    var user: String?
    /// Separated by commas, as libpq takes them; nil if the URL names none.
    var hosts: String?
    var ports: String?
    var database = ""
    var query: [(name: String, value: String)] = []

    init(_ text: Substring) throws(DatabaseAddressError) {
        guard !text.contains("#") else { throw .malformed("it has a #; write %23") }
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let location = halves[0].split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        query = try Self.query(halves.count > 1 ? halves[1] : "")
        // A password may have an @ of its own.
        let authority = location[0].split(
            separator: "@", omittingEmptySubsequences: false)
        if authority.count > 1 {
            guard authority.count == 2, !authority[0].contains(":") else { throw .secret }
            user = try Self.unescaped(authority[0])
        }
        try setHosts(authority.last ?? "")
        guard location.count == 2, !location[1].isEmpty, !location[1].contains("/") else {
            throw .malformed("it names no database: postgres://USER@HOST/DATABASE")
        }
        database = try Self.unescaped(location[1])
    }

    private static func query(
        _ text: Substring
    ) throws(DatabaseAddressError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, !halves[1].isEmpty else {
                throw .malformed("its parameters are NAME=VALUE, separated by &")
            }
            pairs.append((try unescaped(halves[0]), try unescaped(halves[1])))
        }
        return pairs
    }

    private mutating func setHosts(_ text: Substring) throws(DatabaseAddressError) {
        guard !text.isEmpty else { return }
        var names: [String] = []
        var numbers: [String] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            var name = item
            var number = Substring()
            // The colons of IPv6 are in brackets.
            if let colon = item.lastIndex(of: ":"), !item[colon...].contains("]") {
                name = item[..<colon]
                number = item[item.index(after: colon)...]
                guard let port = UInt16(number), port > 0 else {
                    throw .malformed("a port is a number from 1 to 65535")
                }
            }
            if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
            guard !name.isEmpty else { throw .malformed("it has a port without a host") }
            names.append(try Self.unescaped(name))
            numbers.append(String(number))
        }
        hosts = names.joined(separator: ",")
        if numbers.contains(where: { !$0.isEmpty }) { ports = numbers.joined(separator: ",") }
    }

    private static func unescaped(_ text: Substring) throws(DatabaseAddressError) -> String {
        guard let plain = text.removingPercentEncoding, !plain.utf8.contains(0) else {
            throw .malformed("a % in it is not followed by two hexadecimal digits, or by 00")
        }
        return plain
    }
}

/// What is wrong with the URL of a database; it is not shown, since it may hold a password.
public enum DatabaseAddressError: Failure, Equatable {
    /// It has a password.
    case secret
    /// It has another parameter than those that are allowed.
    case unknownParameter(String)
    /// It has another form, with what is wrong.
    case malformed(String)

    /// Always ``FailureKind/usage``.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .secret:
            "the URL of the store has a password, which others on this machine can see; set PGPASSWORD or PGPASSFILE, or "
                + "name a file that has it with --store-password-file"
        case .unknownParameter(let name):
            "the URL of the store has an unknown parameter '\(printable(name))'; there are schema, cluster, "
                + DatabaseAddress.libraryParameters.joined(separator: ", ")
        case .malformed(let reason): "the URL of the store: \(reason)"
        }
    }
}
