// Carriers, against receivers that are not ours.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastAlertCarriers
@testable import BridgecastAlerts

/// A Python program that receives; it ends when it is released.
final class Receiver {
    let address: String
    private let process = Process()
    private let input = Pipe()
    private let lines: FileHandle

    init(_ script: String = "receiver.py", _ arguments: [String] = []) throws {
        let path = Fixtures.checkout.appendingPathComponent(
            "Tests/BridgecastAlertsTests/Receivers/\(script)")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", path.path] + arguments
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        lines = output.fileHandleForReading
        try process.run()
        address = Self.line(of: lines)
    }

    /// The next request that it got.
    func request() throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(Self.line(of: lines).utf8)) as? [String: Any])
    }

    private static func line(of handle: FileHandle) -> String {
        var bytes = Data()
        while let byte = try? handle.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
            bytes += byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
    }
}

let sampleMessage: AlertMessage = {
    let alerts: [(AlertKind, AlertPriority, String)] = [
        (.raised, .normal, "Ballard Bridge is up"), (.line, .high, "Línea 44"),
    ]
    let entries = alerts.enumerated().map { index, alert in
        LedgerEntry(
            number: Int64(index + 1),
            alert: Alert(
                identity: AlertIdentity(rule: "r", occasion: "o\(index)", kind: alert.0),
                subscriber: "s", priority: alert.1, at: testNow,
                bridge: index == 0 ? ballard : nil, title: alert.2, text: "\(alert.2).",
                link: index == 0 ? nil : "https://example.org/44"),
            decidedAt: testNow, status: .sending, attempts: 1, message: "m", changedAt: testNow,
            detail: nil)
    }
    return AlertMessage(id: "message-1", of: entries, sentAt: testNow)
}()

@Suite struct CarrierTests {
    private let clock = HandClock(testNow)

    private func webhook(
        _ url: String, reach: NetworkReach = .everywhere, secret: String = "0123456789abcdef",
        timeout: Double = 5
    ) async -> CarrierOutcome {
        let carrier = WebhookCarrier(
            HTTPPost(reach: reach, clock: clock, timeoutSeconds: timeout))
        return await carrier.send(
            sampleMessage,
            to: Subscriber(id: "s", name: "s", address: .webhook(url: url, secret: secret)))
    }

    @Test func aWebhookIsSignedAsPythonsHMACSaysAndHasTheDocument() async throws {
        let receiver = try Receiver()
        let outcome = await webhook("\(receiver.address)/signed/0123456789abcdef")
        #expect(outcome == .delivered)
        let request = try receiver.request()
        #expect(request["verified"] as? Bool == true)
        let body = try #require(request["body"] as? String)
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        #expect(document["title"] as? String == "Ballard Bridge is up, and 1 more")
        #expect(document["priority"] as? String == "high")
        let alerts = try #require(document["alerts"] as? [[String: Any]])
        #expect(alerts.map { $0["kind"] as? String } == ["up", "line"])
        #expect(alerts[0]["bridge"] as? String == "Ballard")
        #expect(alerts[0]["id"] as? String == sampleMessage.alerts[0].identity.digest)
        let fields = try #require(request["fields"] as? [String: String])
        #expect(fields["Content-Type"] == "application/json")
        #expect(fields["Bridgecast-Message"] == "message-1")
    }

    @Test func aSignatureByAnotherSecretIsNotVerified() async throws {
        let receiver = try Receiver()
        _ = await webhook("\(receiver.address)/signed/another-secret-16")
        #expect(try receiver.request()["verified"] as? Bool == false)
    }

    @Test func answersMeanDeliveredRefusedAgainOrUncertain() async throws {
        let receiver = try Receiver()
        for (path, outcome) in [
            ("ok", CarrierOutcome.delivered), ("status/204", .delivered),
            ("status/400", .refused(reason: "HTTP 400")),
            ("status/410", .refused(reason: "HTTP 410")),
            ("status/500", .failed(reason: "HTTP 500")),
            ("status/429", .failed(reason: "HTTP 429")),
            ("status/504", .uncertain(reason: "HTTP 504")),
            ("later", .failed(reason: "HTTP 503", retryAfterSeconds: 7)),
            ("redirect", .refused(reason: "HTTP 302: redirects are not followed")),
        ] {
            #expect(await webhook("\(receiver.address)/\(path)") == outcome, "\(path)")
        }
    }

    @Test func onlyWhatWasNotSentMayBeSentAgain() async throws {
        // Nothing listens there.
        guard case .failed = await webhook("http://127.0.0.1:1/") else {
            Issue.record("a refused connection is a failure")
            return
        }
        guard case .failed = await webhook("http://no-such-host.invalid/") else {
            Issue.record("an unknown name is a failure")
            return
        }
        let receiver = try Receiver()
        for path in ["silent", "slow"] {
            guard case .uncertain = await webhook("\(receiver.address)/\(path)", timeout: 1) else {
                Issue.record("\(path): a receiver that has read the request may have acted on it")
                return
            }
        }
        // It was asked once each, although libcurl repeats requests on connections that close.
        #expect(try receiver.request()["path"] as? String == "/silent")
        #expect(try receiver.request()["path"] as? String == "/slow")
    }

    @Test func privateAddressesAndNamesOfThemAreRefusedWhenConnecting() async throws {
        let receiver = try Receiver()
        let port = try #require(receiver.address.split(separator: ":").last)
        for host in [
            "127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433",
        ] {
            let outcome = await webhook("http://\(host):\(port)/ok", reach: .publicOnly)
            #expect(
                outcome
                    == .refused(
                        reason: "its address is private or this machine's own; see --alerts-private"
                    ), "\(host)")
        }
        #expect(await webhook("\(receiver.address)/ok") == .delivered)
    }

    /// Python's ipaddress is the reference; it is older than some entries of the registries.
    @Test func publicAddressesAreThoseThatPythonCallsGlobal() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3",
            Fixtures.checkout.appendingPathComponent(
                "Tests/BridgecastAlertsTests/Receivers/addresses.py"
            ).path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let rows = try #require(
            JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(rows.count > 4000)
        for row in rows {
            let bytes = try #require(row["bytes"] as? [Int]).map { UInt8($0) }
            #expect(
                PublicAddress.isPublic(bytes) == row["isGlobal"] as? Bool,
                "\(row["text"] ?? "")")
        }
        #expect(OwnAddresses.current().contains([127, 0, 0, 1]))
    }

    @Test func ntfyGetsTitlePriorityTagsClickAndToken() async throws {
        let receiver = try Receiver()
        let carrier = NtfyCarrier(HTTPPost(reach: .everywhere, clock: clock))
        let address = AlertAddress.ntfy(url: "\(receiver.address)/ok/topic", token: "tk_1")
        let outcome = await carrier.send(
            sampleMessage, to: Subscriber(id: "s", name: "s", address: address))
        #expect(outcome == .delivered)
        let request = try receiver.request()
        let fields = try #require(request["fields"] as? [String: String])
        #expect(fields["Title"] == "Ballard Bridge is up, and 1 more")
        #expect(fields["Priority"] == "4" && fields["Tags"] == "bridge_at_night,line,up")
        #expect(fields["Click"] == "https://example.org/44")
        #expect(fields["Authorization"] == "Bearer tk_1")
        #expect(request["body"] as? String == "Ballard Bridge is up.\nLínea 44.")
    }

    @Test func aCommandGetsTheMessageOnItsInputAndInItsEnvironmentWithoutAShell() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = folder.appendingPathComponent("take")
        try Data(
            """
            #!/bin/sh
            cat > "\(folder.path)/input"
            printf '%s|%s|%s' "$BRIDGECAST_ALERT_TITLE" "$BRIDGECAST_ALERT_PRIORITY" "$1" > "\(folder.path)/seen"
            env > "\(folder.path)/environment"
            exit ${2:-0}
            """.utf8
        ).write(to: script)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: script.path)
        func run(_ command: [String], maxSeconds: Double = 300) async -> CarrierOutcome {
            await CommandCarrier(maxSeconds: maxSeconds).send(
                sampleMessage, to: Subscriber(id: "s", name: "s", address: .command(command)))
        }
        let argument = "$(touch \(folder.path)/injected); `id`"
        #expect(await run([script.path, argument]) == .delivered)
        let input = try Data(contentsOf: folder.appendingPathComponent("input"))
        #expect(Array(input) == sampleMessage.json)
        let seen = try String(
            contentsOf: folder.appendingPathComponent("seen"), encoding: .utf8)
        #expect(seen == "Ballard Bridge is up, and 1 more|high|\(argument)")
        #expect(
            !FileManager.default.fileExists(atPath: folder.path + "/injected"))
        #expect(await run([script.path, "", "75"]) == .failed(reason: "exit code 75"))
        #expect(await run([script.path, "", "3"]) == .refused(reason: "exit code 3"))
        guard case .failed = await run(["/nonexistent/program"]) else {
            Issue.record("a program that is not there is a failure")
            return
        }
        #expect(
            await run(["/bin/sh", "-c", "trap '' TERM; sleep 60"], maxSeconds: 0.3)
                == .uncertain(reason: "ended after 0.3 s"))
    }
}
