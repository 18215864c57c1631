// Web Push, against the example of RFC 8291 and a browser of Python's cryptography.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastAlertCarriers
@testable import BridgecastAlerts

/// Bytes of base64url.
private func bytes(_ text: some StringProtocol) -> [UInt8] {
    let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Array(Data(base64Encoded: plain + padding) ?? Data())
}

@Suite struct PushTests {
    private let clock = HandClock(testNow)

    @Test func theExampleOfRFC8291IsReproduced() throws {
        let subscription = PushSubscription(
            endpoint: "https://push.example.net/",
            publicKey: bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
            ), secret: bytes("BTBZMqHH6r4Tts7J_aSIgg"))
        let encrypted = try PushEncryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), for: subscription,
            privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            encrypted
                == bytes(
                    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
                ))
    }

    @Test func aBrowserReadsTheMessageAndItsServiceTheSignature() async throws {
        let service = try Receiver("push_service.py")
        let words = service.address.split(separator: " ")
        try #require(words.count == 3, "python3 has the package cryptography")
        let key = try #require(PushKey(PushKey.makeBytes()))
        let carrier = PushCarrier(
            HTTPPost(reach: .everywhere, clock: clock), key: key,
            contact: "mailto:me@example.org")
        func send(_ path: String) async -> CarrierOutcome {
            await carrier.send(
                sampleMessage,
                to: Subscriber(
                    id: "s", name: "s",
                    address: .push(
                        PushSubscription(
                            endpoint: "\(words[0])\(path)", publicKey: bytes(words[1]),
                            secret: bytes(words[2])))))
        }
        #expect(await send("/send/abc") == .delivered)
        let got = try service.request()
        let message = try #require(got["message"] as? [String: Any])
        #expect(message["title"] as? String == "Ballard Bridge is up, and 1 more")
        #expect(message["text"] as? String == "Ballard Bridge is up.\nLínea 44.")
        let parts = try #require(message["alerts"] as? [[String: Any]])
        #expect(
            parts.map { $0["kind"] as? String } == sampleMessage.alerts.map(\.identity.kind.name))
        #expect(parts.first?["bridge"] as? String == "Ballard")
        #expect(
            parts.first?["at"] as? String == TimeText.rfc3339(sampleMessage.alerts[0].at))
        let claims = try #require(got["claims"] as? [String: Any])
        #expect(claims["aud"] as? String == String(words[0]))
        #expect(claims["sub"] as? String == "mailto:me@example.org")
        #expect(claims["exp"] as? Int == Int(testNow.secondsSinceEpoch) + 43_200)
        #expect(got["key"] as? String == key.publicText)
        let fields = try #require(got["fields"] as? [String: String])
        #expect(fields["Urgency"] == "high" && fields["TTL"] == "1800")
        #expect(
            await send("/gone") == .gone(reason: "HTTP 410: the browser has unsubscribed"))
    }

    @Test func aKeyThatIsNoPointIsRefusedAndNotSent() async throws {
        let key = try #require(PushKey(PushKey.makeBytes()))
        let carrier = PushCarrier(
            HTTPPost(reach: .everywhere, clock: clock), key: key, contact: nil)
        let subscription = PushSubscription(
            endpoint: "http://127.0.0.1:1/", publicKey: [4] + [UInt8](repeating: 7, count: 64),
            secret: [UInt8](repeating: 1, count: 16))
        guard
            case .refused = await carrier.send(
                sampleMessage, to: Subscriber(id: "s", name: "s", address: .push(subscription)))
        else {
            Issue.record("refused")
            return
        }
        #expect(PushKey([1, 2, 3]) == nil)
    }
}
