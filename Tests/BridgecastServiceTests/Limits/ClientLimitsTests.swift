// The limits of clients: requests in a second and streams at once, by a clock that the tests hold.
import HTTPTypes
import Testing

@testable import BridgecastService

@Suite struct ClientLimitsTests {
    private let second: Int64 = 1_000_000_000

    private func limits(
        rate: Double = 10, burst: Double = 3, streams: Int = 3, perClient: Int = 2
    ) -> ClientLimits {
        var settings = ServiceSettings()
        (settings.requestsPerSecond, settings.requestBurst) = (rate, burst)
        (settings.mostStreams, settings.mostStreamsPerClient) = (streams, perClient)
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

    @Test func slowRatesSayHowLongToWait() throws {
        let limits = limits(rate: 0.1, burst: 1)
        #expect(try #require(limits.take(client(1), at: 0)).resetSeconds == 10)
        let refused = try #require(limits.take(client(1), at: 4 * second))
        #expect(refused.retryAfterSeconds == 6)
        #expect(try #require(limits.take(client(1), at: 10 * second)).isAllowed)
    }

    @Test func aClockThatGoesBackLocksNobodyOut() throws {
        let limits = limits()
        _ = limits.take(client(1), at: 100 * second)
        #expect(try #require(limits.take(client(1), at: 100 * second - 1)).isAllowed)
    }

    @Test func withoutARateEverythingGoes() {
        #expect(limits(rate: 0).take(client(1), at: 0) == nil)
    }

    @Test(arguments: [-1, .nan, .infinity, 1e-300, 1e300])
    func oddRatesAreNoHarm(rate: Double) {
        let odd = limits(rate: rate, burst: rate)
        for time in 0..<5 { _ = odd.take(client(1), at: Int64(time)) }
    }

    @Test func noMoreAddressesAreRememberedThanStated() throws {
        let limits = limits(rate: 0.001, burst: 1)
        for number in 0..<200_000 {
            _ = limits.take(client(number), at: 0)
            #expect(limits.addressCount <= ClientLimits.mostAddresses)
        }
        // The last are remembered, the first not.
        #expect(try !#require(limits.take(client(199_999), at: 0)).isAllowed)
        #expect(try #require(limits.take(client(0), at: 0)).isAllowed)
    }

    @Test func fieldsTellAClientWhatIsLeft() throws {
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
        (settings.mostConnections, settings.mostConnectionsPerClient) = (3, 1)
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
        // Who lets go of an entry gives its place back.
        withExtendedLifetime(entries) { #expect(counts.count == 3) }
    }

    @Test func secretsAreComparedWhole() {
        #expect(ConstantTime.areEqual("abcdefghijklmnop", "abcdefghijklmnop"))
        #expect(!ConstantTime.areEqual("abcdefghijklmnop", "abcdefghijklmnoq"))
        #expect(!ConstantTime.areEqual("abcdefghijklmnop", "abcdefghijklmno"))
        #expect(!ConstantTime.areEqual("", "a"))
    }

    @Test func allAnswersForbidWhatBrowsersMightDoWithThem() {
        #expect(SecurityFields.all[.xContentTypeOptions] == "nosniff")
        #expect(
            SecurityFields.all[.contentSecurityPolicy]
                == "default-src 'none'; frame-ancestors 'none'")
        #expect(SecurityFields.all[.accessControlAllowOrigin] == "*")
        #expect(SecurityFields.all.count == 6)
    }
}
