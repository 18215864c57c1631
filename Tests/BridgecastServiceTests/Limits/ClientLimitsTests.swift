// Limits of client addresses and streams, addresses and trusted proxies, secrets, security headers.
import HTTPTypes
import NIOCore
import Testing
@testable import BridgecastService

@Suite struct ClientLimitsTests {
    private let second: Int64 = 1_000_000_000

    private func limits(
        rate: Double = 10, burst: Double = 3, streams: Int = 3, perClient: Int = 2
    ) -> ClientLimits {
        var settings = ServiceSettings()
        settings.requestsPerSecond = rate
        settings.requestBurst = burst
        settings.maxStreams = streams
        settings.maxStreamsPerClient = perClient
        return ClientLimits(settings)
    }

    private func client(_ number: Int) -> ClientAddress {
        ClientAddress(high: 0, low: 0xffff_0000_0000 | UInt64(number))
    }

    @Test func requestsOfAClientAreLimited() throws {
        let limits = limits()
        let now = 5 * second
        let remaining = try (0..<3).map { _ in try #require(limits.take(client(1), at: now)) }
        #expect(remaining.map(\.remaining) == [2, 1, 0])
        #expect(remaining.allSatisfy { $0.isAllowed && $0.limit == 3 })
        let refused = try #require(limits.take(client(1), at: now))
        #expect(!refused.isAllowed && refused.retryAfterSeconds == 1 && refused.remaining == 0)
        #expect(try #require(limits.take(client(2), at: now)).isAllowed)
        // One comes back in a tenth of a second; refusals take nothing.
        #expect(try !#require(limits.take(client(1), at: now + second / 10 - 1)).isAllowed)
        #expect(try #require(limits.take(client(1), at: now + second / 10)).isAllowed)
        #expect(try !#require(limits.take(client(1), at: now + second / 10)).isAllowed)
        // A long silence fills the bucket and no more.
        let later = try #require(limits.take(client(1), at: now + 3600 * second))
        #expect(later.remaining == 2)
    }

    @Test func slowRatesReportHowLongToWait() throws {
        let limits = limits(rate: 0.1, burst: 1)
        #expect(try #require(limits.take(client(1), at: 0)).resetSeconds == 10)
        let refused = try #require(limits.take(client(1), at: 4 * second))
        #expect(refused.retryAfterSeconds == 6)
        #expect(try #require(limits.take(client(1), at: 10 * second)).isAllowed)
    }

    @Test func aClockSetBackLocksNoClientOut() throws {
        let limits = limits()
        _ = limits.take(client(1), at: 100 * second)
        #expect(try #require(limits.take(client(1), at: 100 * second - 1)).isAllowed)
    }

    @Test func withoutARateThereIsNoLimit() {
        #expect(limits(rate: 0).take(client(1), at: 0) == nil)
    }

    @Test(arguments: [-1, .nan, .infinity, 1e-300, 1e300])
    func extremeRatesAreHandled(rate: Double) {
        let odd = limits(rate: rate, burst: rate)
        for time in 0..<5 { _ = odd.take(client(1), at: Int64(time)) }
    }

    @Test func rememberedAddressesAreLimited() throws {
        let limits = limits(rate: 0.001, burst: 1)
        for number in 0..<200_000 {
            _ = limits.take(client(number), at: 0)
            #expect(limits.addressCount <= ClientLimits.maxAddresses)
        }
        // The last are remembered, the first not.
        #expect(try !#require(limits.take(client(199_999), at: 0)).isAllowed)
        #expect(try #require(limits.take(client(0), at: 0)).isAllowed)
    }

    @Test func headerFieldsReportTheRemainingRequests() throws {
        let limits = limits(rate: 1, burst: 2)
        var fields = HTTPFields()
        try #require(limits.take(client(1), at: 0)).add(to: &fields)
        #expect(fields[try #require(HTTPField.Name("RateLimit-Limit"))] == "2")
        #expect(fields[try #require(HTTPField.Name("RateLimit-Remaining"))] == "1")
        #expect(fields[try #require(HTTPField.Name("RateLimit-Reset"))] == "1")
        #expect(fields[.retryAfter] == nil)
        _ = limits.take(client(1), at: 0)
        let problem = try #require(limits.take(client(1), at: 0)?.problem)
        #expect(problem.status == .tooManyRequests && problem.code == .tooManyRequests)
        #expect(problem.retryAfterSeconds == 1 && problem.fields[.retryAfter] == "1")
    }

    @Test func streamsOfAClientAndInAllAreLimited() throws {
        let limits = limits()
        let first = try limits.openStream(client(1))
        let second = try limits.openStream(client(1))
        let refusal = #expect(throws: Problem.self) { _ = try limits.openStream(client(1)) }
        #expect(refusal?.status == .tooManyRequests)
        let third = try limits.openStream(client(2))
        let full = #expect(throws: Problem.self) { _ = try limits.openStream(client(3)) }
        #expect(full?.status == .serviceUnavailable && full?.retryAfterSeconds != nil)
        first.close()
        first.close()
        #expect(limits.streamCount == 2)
        _ = try limits.openStream(client(3))
        // The pass of client 3 went without being closed.
        #expect(limits.streamCount == 2)
        second.close()
        third.close()
        #expect(limits.streamCount == 0)
    }

    @Test func connectionsAreCountedByClient() {
        var settings = ServiceSettings()
        settings.maxConnections = 3
        settings.maxConnectionsPerClient = 1
        let counts = ConnectionCounts(settings)
        let entries = [
            counts.open(client(1), isProxy: false), counts.open(client(1), isProxy: false),
            counts.open(client(2), isProxy: true), counts.open(client(2), isProxy: true),
            counts.open(client(3), isProxy: false),
        ]
        let refusals = entries.map { entry -> Refusal? in
            if case .refused(let refusal) = entry { refusal } else { nil }
        }
        #expect(
            refusals == [nil, .tooManyConnectionsOfClient, nil, nil, .tooManyConnections])
        // Releasing an entry frees its connection.
        withExtendedLifetime(entries) { #expect(counts.count == 3) }
    }

    @Test func secretsAreComparedCompletely() {
        #expect(ConstantTime.areEqual("abcdefghijklmnop", "abcdefghijklmnop"))
        #expect(!ConstantTime.areEqual("abcdefghijklmnop", "abcdefghijklmnoq"))
        #expect(!ConstantTime.areEqual("abcdefghijklmnop", "abcdefghijklmno"))
        #expect(!ConstantTime.areEqual("", "a"))
    }

    @Test func allAnswersHaveSecurityHeaders() {
        #expect(SecurityFields.all[.xContentTypeOptions] == "nosniff")
        #expect(
            SecurityFields.all[.contentSecurityPolicy]
                == "default-src 'none'; frame-ancestors 'none'")
        #expect(SecurityFields.all[.accessControlAllowOrigin] == "*")
        #expect(SecurityFields.all.count == 6)
    }
}

@Suite struct ClientAddressTests {
    private func address(_ text: String) throws -> ClientAddress {
        try #require(ClientAddress(text))
    }

    private func trust(_ header: String?, _ proxies: [String]) throws -> ProxyTrust {
        var settings = ServiceSettings()
        settings.trustedHeader = header
        settings.trustedProxies = proxies
        return try ProxyTrust(settings)
    }

    private func fields(_ values: String...) throws -> HTTPFields {
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        return HTTPFields(values.map { HTTPField(name: name, value: $0) })
    }

    @Test func formsOfAnAddressAreEqual() throws {
        let four = try address("192.0.2.7")
        #expect(try address(" 192.0.2.7:8080 ") == four)
        #expect(try address("::ffff:192.0.2.7") == four)
        #expect(ClientAddress(peer: try SocketAddress(ipAddress: "192.0.2.7", port: 5)) == four)
        let six = try address("2001:db8::1")
        #expect(try address("[2001:db8::1]:443") == six)
        #expect(six.high == 0x2001_0db8_0000_0000 && six.low == 1)
        #expect(ClientAddress(peer: nil) == .none)
    }

    @Test(arguments: ["", "unknown", "1.2.3", "1.2.3.4.5", "[::1", "::g", "1.2.3.4:x:y", "\u{0}"])
    func invalidAddressesAreRejected(text: String) { #expect(ClientAddress(text) == nil) }

    @Test func ipv6AddressesAreCountedByTheirFirst64Bits() throws {
        #expect(
            try address("2001:db8::1").counted == address("2001:db8:0:0:ffff::9").counted)
        #expect(try address("2001:db8::1").counted != address("2001:db8:0:1::1").counted)
        #expect(try address("192.0.2.7").counted != address("192.0.2.8").counted)
    }

    @Test func noProxyIsTrustedByDefault() throws {
        let peer = try address("10.0.0.1")
        let claim = try fields("198.51.100.9")
        #expect(try trust(nil, ["10.0.0.1"]).client(peer: peer, fields: claim) == peer)
        #expect(try trust("X-Forwarded-For", []).client(peer: peer, fields: claim) == peer)
        let other = try trust("X-Forwarded-For", ["10.0.0.2"])
        #expect(other.client(peer: peer, fields: claim) == peer)
    }

    @Test func theRightmostUntrustedAddressIsTheClient() throws {
        let trust = try trust("X-Forwarded-For", ["10.0.0.0/8", "fd00::/8"])
        let peer = try address("10.0.0.1")
        // What the client wrote itself is on the left.
        let claim = try fields("203.0.113.1, 198.51.100.9, 10.9.9.9", "fd00::5")
        #expect(try trust.client(peer: peer, fields: claim) == address("198.51.100.9"))
        #expect(trust.client(peer: peer, fields: HTTPFields()) == peer)
        let broken = try fields("198.51.100.9, nonsense, 10.0.0.7")
        #expect(try trust.client(peer: peer, fields: broken) == address("10.0.0.7"))
        #expect(try trust.client(peer: peer, fields: fields("10.0.0.8")) == address("10.0.0.8"))
        #expect(trust.contains(peer))
        #expect(try !trust.contains(address("11.0.0.1")))
    }

    @Test func networksAreReadStrictly() throws {
        #expect(throws: ProxyTrustError.noAddress("10.0.0.0/33")) {
            try trust("X-Forwarded-For", ["10.0.0.0/33"])
        }
        #expect(throws: ProxyTrustError.noAddress("proxy.local")) {
            try trust("X-Forwarded-For", ["proxy.local"])
        }
        #expect(throws: ProxyTrustError.noField("a b")) { try trust("a b", ["10.0.0.1"]) }
        let all = try trust("X-Forwarded-For", ["::/0"])
        #expect(try all.contains(address("2001:db8::1")))
    }
}
