// URLs of databases: what libpq gets of them, what is refused, and that no message has a secret.
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct DatabaseAddressTests {
    private func parameters(_ text: String) throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: try DatabaseAddress(text).parameters.map { ($0.name, $0.value) })
    }

    private func refusal(_ text: String) -> DatabaseAddressError? {
        #expect(throws: DatabaseAddressError.self) { try DatabaseAddress(text) }
    }

    @Test func whatIsNoURLOfPostgreSQLIsAFile() throws {
        for path in ["history.sqlite", "/a/postgres://x", "postgres.sqlite", "http://a/b"] {
            #expect(try StoreLocation(path) == .file(URL(fileURLWithPath: path)))
        }
        for text in ["postgres://a@b/c", "postgresql://b/c", "POSTGRES://b/c"] {
            let location = try StoreLocation(text)
            #expect(location == .database(try DatabaseAddress(text)) && location.text == text)
        }
    }

    @Test func thePartsOfAURLBecomeParameters() throws {
        #expect(
            try parameters("postgres://a%40b@[::1]:5433/my%20data?sslmode=verify-full") == [
                "user": "a@b", "host": "::1", "port": "5433", "dbname": "my data",
                "sslmode": "verify-full",
            ])
        #expect(
            try parameters("postgres://u@a.example:1,b.example/d?target_session_attrs=read-write")
                == [
                    "user": "u", "host": "a.example,b.example", "port": "1,", "dbname": "d",
                    "target_session_attrs": "read-write", "sslmode": "require",
                ])
        #expect(
            try parameters("postgresql:///d?host=/run/postgresql&port=5434") == [
                "host": "/run/postgresql", "port": "5434", "dbname": "d",
            ])
        let address = try DatabaseAddress("postgres:///d?schema=seattle_2&cluster=north")
        #expect(address.schema == "seattle_2" && address.cluster == "north")
        #expect(try DatabaseAddress("postgres:///d").schema == "bridgecast")
    }

    /// Without a word about it a password would go to another machine in the clear.
    @Test func anotherMachineIsReachedByTLSUnlessTheURLSaysOtherwise() throws {
        for local in ["", "localhost", "127.0.0.1:5432", "[::1]"] {
            #expect(try parameters("postgres://\(local)/d")["sslmode"] == nil, "\(local)")
        }
        for remote in ["example.org", "10.0.0.1", "localhost,example.org", "127.0.0.2"] {
            #expect(try parameters("postgres://\(remote)/d")["sslmode"] == "require", "\(remote)")
        }
        #expect(try parameters("postgres://a/d?sslmode=disable")["sslmode"] == "disable")
    }

    @Test(arguments: [
        "postgres://u:hunter2@h/d", "postgres://u:hunter2@x@h/d", "postgres://h/d?password=hunter2",
        "postgres://u:@h/d", "postgres://h/d?sslpassword=hunter2",
        "postgres://h/d?passfile=hunter2",
    ]) func aPasswordIsRefusedAndNotShown(_ text: String) {
        let error = refusal(text)
        #expect(error == .secret && error?.kind == .usage)
        #expect(error?.description.contains("--store-password-file") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test(arguments: [
        "postgres://", "postgres://h", "postgres://h/", "postgres://h/a/b", "postgres://h:0/d",
        "postgres://h:70000/d", "postgres://h:port/d", "postgres://:5432/d", "postgres://h/d#x",
        "postgres://h/%zz", "postgres://h/a%00b", "postgres://h/d?sslmode", "postgres://h/d?=x",
        "postgres://h/d?sslmode=on", "postgres://h/d?user=a&user=b", "postgres://u@h/d?user=b",
        "postgres://h/d?schema=Public", "postgres://h/d?schema=pg_temp",
        "postgres://h/d?schema=a-b", "postgres:/u@h/d", "postgresql:h/d",
        "postgres://h/d?schema=a&schema=b", "postgres://h/d?target_session_attrs=foo",
        "postgres://h/d?channel_binding=foo", "postgres://h/d?gssencmode=foo",
        "postgres://h/d?ssl_min_protocol_version=1.2",
        "postgres://h/d?schema=2", "postgres://h/d?cluster=a%22b", "postgres://h/d?options=-c",
        "postgres://h/d?schema=" + String(repeating: "a", count: 64), "postgres://h,,i/d",
    ]) func mistakesAreRefused(_ text: String) {
        #expect(refusal(text)?.kind == .usage)
    }

    @Test func anyTextIsReadOrRefused() {
        var random = SeededGenerator(seed: 11)
        let pieces = [
            "postgres://", "u", ":", "@", "h", ",", "[", "]", "/", "d", "?", "&", "=", "%", "%41",
            "schema", "sslmode", "require", "\u{0}", "\u{1F309}", "5432", "#",
        ]
        var taken = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &random)
            let text =
                "postgres://"
                + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let address = try? DatabaseAddress(text) else { continue }
            taken += 1
            #expect(address.parameters.allSatisfy { !$0.value.utf8.contains(0) }, "\(text)")
            #expect(address.parameters.contains { $0.name == "dbname" && !$0.value.isEmpty })
        }
        #expect(taken > 50)
    }
}
