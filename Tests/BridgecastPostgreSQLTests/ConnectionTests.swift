// Connections to a real server: values, transactions, COPY, notifications, locks, and what goes wrong.
#if PostgreSQL
    import BridgecastStore
    import BridgecastSupport
    import BridgecastTestSupport
    import Foundation
    import Glibc
    import Testing

    @testable import BridgecastPostgreSQL

    /// A port of this machine where connections are made, and nothing is ever said.
    private final class SilentServer {
        let port: UInt16
        private let descriptor: Int32

        init() throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.descriptor = descriptor
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            // Safe: both calls are given the size of the structure, which lives through them.
            let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                    unsafe bind(descriptor, general, length) == 0
                        && getsockname(descriptor, general, &length) == 0
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            try #require(isBound && Glibc.listen(descriptor, 8) == 0)
        }

        deinit { close(descriptor) }
    }

    @Suite struct ConnectionTests {
        private let server = DatabaseServer.shared

        private func connect(_ parameters: String...) throws -> PostgreSQLConnection {
            var url = server.url()
            for parameter in parameters { url += "&" + parameter }
            return try PostgreSQLConnection(try DatabaseAddress(url))
        }

        @Test func valuesComeBackAsTheyWere() throws {
            let connection = try connect()
            let texts = [
                "", "a'b\"c", "\\N", "tab\tline\nreturn\r\\", "{}", "Mont\u{e9}lake \u{1F309}",
            ]
            for text in texts {
                let rows = try connection.execute(
                    "SELECT $1::text, $2::bigint, $3::text",
                    [.text(text), .integer(.min), .null])
                #expect(rows.values == [[.text(text), .integer(.min), .null]])
            }
            let list = try connection.execute(
                "SELECT unnest($1::text[])", [.list(of: texts)])
            #expect(list.values.map { $0[0] } == texts.map { .text($0) })
            let error = #expect(throws: PostgreSQLError.self) {
                try connection.execute("SELECT $1::text", ["a\0b"])
            }
            #expect(error?.state == "22021")
            #expect(try connection.execute("SELECT 1").first == 1)
        }

        @Test func copiedRowsComeBackAsTheyWere() throws {
            let connection = try connect()
            try connection.execute("CREATE TEMPORARY TABLE t (number bigint, text text)")
            let rows: [[StoreValue]] = (0..<20_000).map { number in
                [
                    .integer(Int64(number)),
                    number % 7 == 0 ? .null : .text("a\tb\\\(number)\r\n\\N"),
                ]
            }
            #expect(try connection.copy(into: "t (number, text)", rows) == rows.count)
            let read = try connection.execute("SELECT number, text FROM t ORDER BY number")
            #expect(read.values == rows && read.columns == ["number", "text"])
            let error = #expect(throws: PostgreSQLError.self) {
                try connection.copy(into: "t (number, text)", [["a", "b"]])
            }
            #expect(error?.state == "22P02" && error?.source == .command)
            #expect(throws: PostgreSQLError.self) {
                try connection.copy(into: "nothing (a)", rows)
            }
            #expect(try connection.execute("SELECT count(*) FROM t").first == 20_000)
        }

        @Test func aTransactionIsStoredAsAWholeOrNotAtAll() throws {
            struct Stop: Error {}
            let connection = try connect()
            let table = "t\(UInt32.random(in: 0...9_999_999))"
            try connection.execute("CREATE TABLE \(table) (a bigint PRIMARY KEY)")
            defer { _ = try? connection.execute("DROP TABLE \(table)") }
            func insert(_ number: Int64) throws {
                try connection.execute("INSERT INTO \(table) VALUES ($1)", [.integer(number)])
            }
            try connection.transaction(.readCommitted) { try insert(1) }
            #expect(throws: Stop.self) {
                try connection.transaction(.readCommitted) {
                    try insert(2)
                    throw Stop()
                }
            }
            try connection.transaction(.readCommitted, commits: false) { try insert(3) }
            // An error that the body ignores is not.
            #expect(throws: PostgreSQLError.self) {
                try connection.transaction(.readCommitted) {
                    try insert(4)
                    _ = try? insert(1)
                }
            }
            let error = #expect(throws: PostgreSQLError.self) {
                try connection.transaction(.snapshot) { try insert(5) }
            }
            #expect(error?.state == "25006")
            #expect(try connection.execute("SELECT a FROM \(table)").values == [[1]])
        }

        @Test func notificationsWakeTheListener() throws {
            let listener = try connect()
            let sender = try connect()
            try listener.listen(to: "News from \"x\"")
            #expect(try listener.notifications(waitingSeconds: 0).isEmpty)
            let sql = "SELECT pg_notify($1, $2)"
            try sender.execute(sql, ["News from \"x\"", "caf\u{e9}"])
            let news = try listener.notifications(waitingSeconds: 60)
            #expect(news == [.init(channel: "News from \"x\"", payload: "caf\u{e9}")])
            // Those that come with a reply are not lost.
            try sender.execute(sql, ["News from \"x\"", "2"])
            try listener.execute("SELECT 1")
            #expect(try listener.notifications(waitingSeconds: 60).map(\.payload) == ["2"])
        }

        @Test func aLockHasOneHolder() throws {
            let first = try connect()
            let name = UUID().uuidString
            do {
                let second = try connect()
                #expect(try first.tryLock(7, name) && !second.tryLock(7, name))
                #expect(try second.tryLock(8, name))
                let error = #expect(throws: PostgreSQLError.self) {
                    try second.transaction(.readCommitted) {
                        try second.lockTransaction(7, name, maxSeconds: 0.05)
                    }
                }
                #expect(error?.isBusy == true && error?.kind == .busy)
            }
            // The end of its connection frees it; the server may take a moment to notice.
            let deadline = ContinuousClock.now + .seconds(60)
            while try !first.tryLock(8, name), .now < deadline { usleep(10_000) }
            #expect(.now < deadline)
        }

        @Test func aBrokenConnectionStaysBroken() throws {
            let connection = try connect()
            let other = try connect()
            let process = try #require(
                try connection.execute("SELECT pg_backend_pid()").first)
            try other.execute("SELECT pg_terminate_backend($1::int)", [process])
            let error = #expect(throws: PostgreSQLError.self) {
                // It may take the server a while to end its process.
                for _ in 0..<600 {
                    try connection.execute("SELECT pg_sleep(0.1)")
                }
            }
            #expect(error?.source == .connection && connection.isBroken)
            let next = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
            #expect(next?.source == .connection)
        }

        @Test func aServerThatHangsIsNotWaitedForEver() throws {
            var limits = PostgreSQLConnection.Limits()
            limits.replySeconds = 0.2
            let connection = try PostgreSQLConnection(
                try DatabaseAddress(server.url()), limits: limits)
            let error = #expect(throws: PostgreSQLError.self) {
                try connection.execute("SELECT pg_sleep(5)")
            }
            #expect(error?.source == .connection && connection.isBroken)
        }

        @Test func aHostThatIsSilentDoesNotHideTheNext() throws {
            // The kernel takes the connection; nothing is ever answered.
            let silent = try SilentServer()
            var limits = PostgreSQLConnection.Limits()
            limits.connectSeconds = 2
            let hosts = "127.0.0.1:\(silent.port),127.0.0.1:1,127.0.0.1:\(server.port)"
            func connect(_ hosts: String) throws -> PostgreSQLConnection {
                try PostgreSQLConnection(
                    try DatabaseAddress("postgres://bridgecast@\(hosts)/bridgecast"),
                    password: "right", limits: limits)
            }
            try server.psql(sql: "ALTER ROLE bridgecast PASSWORD 'right'")
            #expect(try connect(hosts).execute("SELECT 1").first == 1)
            let error = #expect(throws: PostgreSQLError.self) {
                try connect("127.0.0.1:\(silent.port)")
            }
            #expect(error?.source == .connecting && error?.message.contains("timeout") == true)
        }

        @Test func refusalsSayWhatIsWrong() throws {
            func refusal(_ url: String, password: String? = nil) throws -> PostgreSQLError? {
                let address = try DatabaseAddress(url)
                return #expect(throws: PostgreSQLError.self) {
                    try PostgreSQLConnection(address, password: password)
                }
            }
            let tcp = "postgres://bridgecast@127.0.0.1:\(server.port)/bridgecast"
            try server.psql(sql: "ALTER ROLE bridgecast PASSWORD 'right'")
            #expect(try refusal(tcp, password: "wrong")?.state == "28P01")
            #expect(
                try PostgreSQLConnection(try DatabaseAddress(tcp), password: "right")
                    .execute("SELECT 1").first == 1)
            #expect(try refusal(server.url(user: "stranger"))?.state == "28000")
            let elsewhere = server.url().replacingOccurrences(
                of: "/bridgecast?", with: "/elsewhere?")
            #expect(try refusal(elsewhere)?.state == "3D000")
            let unencrypted = try refusal(tcp + "?sslmode=require", password: "right")
            #expect(unencrypted?.source == .login && unencrypted?.kind == .usage)
            let closed = try refusal("postgres://a@127.0.0.1:1/b")
            #expect(closed?.source == .connecting && closed?.kind == .io)
        }
    }
#endif
