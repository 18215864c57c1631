// Addresses of clients: how they are read, counted, and believed from proxies.
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct ClientAddressTests {
    private func address(_ text: String) throws -> ClientAddress {
        try #require(ClientAddress(text))
    }

    private func trust(_ header: String?, _ proxies: [String]) throws -> ProxyTrust {
        var settings = ServiceSettings()
        (settings.trustedHeader, settings.trustedProxies) = (header, proxies)
        return try ProxyTrust(settings)
    }

    private func fields(_ values: String...) throws -> HTTPFields {
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        return HTTPFields(values.map { HTTPField(name: name, value: $0) })
    }

    @Test func formsOfAnAddressAreTheSame() throws {
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
    func whatIsNoAddressIsNone(text: String) { #expect(ClientAddress(text) == nil) }

    @Test func addressesOfVersionSixAreCountedByTheirFirst64Bits() throws {
        #expect(
            try address("2001:db8::1").counted == address("2001:db8:0:0:ffff::9").counted)
        #expect(try address("2001:db8::1").counted != address("2001:db8:0:1::1").counted)
        #expect(try address("192.0.2.7").counted != address("192.0.2.8").counted)
    }

    @Test func nobodyIsTrustedUnlessTheSettingsSaySo() throws {
        let peer = try address("10.0.0.1")
        let claim = try fields("198.51.100.9")
        #expect(try trust(nil, ["10.0.0.1"]).client(peer: peer, fields: claim) == peer)
        #expect(try trust("X-Forwarded-For", []).client(peer: peer, fields: claim) == peer)
        let other = try trust("X-Forwarded-For", ["10.0.0.2"])
        #expect(other.client(peer: peer, fields: claim) == peer)
    }

    @Test func theRightmostAddressThatIsNoProxyIsTheClient() throws {
        let trust = try trust("X-Forwarded-For", ["10.0.0.0/8", "fd00::/8"])
        let peer = try address("10.0.0.1")
        // What the client wrote itself stands on the left.
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
