// MQTT, against Debian's mosquitto: a broker and its own subscriber.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Glibc
import Testing

@testable import BridgecastAlertCarriers
@testable import BridgecastAlerts

/// A broker of its own on a free port; it ends when it is released.
private final class Broker {
    let port: Int
    private let process = Process()
    private let folder: URL

    init(port: Int = Int.random(in: 20_000..<30_000)) throws {
        folder = try Fixtures.temporaryFolder()
        self.port = port
        let configuration = folder.appendingPathComponent("mosquitto.conf")
        try Data(
            "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n".utf8
        ).write(to: configuration)
        process.executableURL = URL(fileURLWithPath: Self.path("mosquitto"))
        process.arguments = ["-c", configuration.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    static func path(_ name: String) -> String {
        ["/usr/sbin/", "/usr/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) } ?? name
    }

    static var isInstalled: Bool {
        ["mosquitto", "mosquitto_sub"].allSatisfy { path($0).hasPrefix("/") }
    }

    /// The next messages of topics, as `RETAINED TOPIC CONTENT`; it waits for that many, a few seconds at most.
    static func messages(
        of topics: String, count: Int, at port: Int
    ) throws -> [String] {
        let subscriber = Process()
        subscriber.executableURL = URL(fileURLWithPath: Self.path("mosquitto_sub"))
        subscriber.arguments = [
            "-h", "127.0.0.1", "-p", "\(port)", "-t", topics, "-C", "\(count)", "-W", "10", "-q",
            "1", "-F", "%r %t %p",
        ]
        let output = Pipe()
        subscriber.standardOutput = output
        subscriber.standardError = FileHandle.nullDevice
        try subscriber.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Not `terminate`: a child of a thread that blocks signals never sees one.
    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

@Suite(.enabled(if: Broker.isInstalled, "Debian's mosquitto and mosquitto-clients are installed"))
struct MQTTTests {
    private func subscriber(_ port: Int) -> Subscriber {
        Subscriber(
            id: "abc-123", name: "me", address: .mqtt(MQTTBroker(host: "localhost", port: port)))
    }

    /// Sends again while the broker starts, as the dispatcher would.
    private func send(_ carrier: MQTTCarrier, _ port: Int) async throws -> CarrierOutcome {
        for _ in 1...50 {
            let outcome = await carrier.send(sampleMessage, to: subscriber(port))
            guard case .failed = outcome else { return outcome }
            try await Task.sleep(for: .milliseconds(100))
        }
        return .failed(reason: "the broker does not start")
    }

    @Test func aBrokerGetsTheMessageAndHomeAssistantItsDescription() async throws {
        let broker = try Broker()
        let carrier = MQTTCarrier(reach: .everywhere)
        let port = broker.port
        #expect(try await send(carrier, port) == .delivered)
        // What is retained is there for those who come later.
        let retained = try Broker.messages(of: "homeassistant/#", count: 1, at: port)
        let parts = try #require(retained.first).split(separator: " ", maxSplits: 2)
        #expect(parts[0] == "1" && parts[1] == "homeassistant/event/bridgecast-abc123/config")
        let discovery = try #require(
            JSONSerialization.jsonObject(with: Data(parts[2].utf8)) as? [String: Any])
        #expect(discovery["state_topic"] as? String == "bridgecast/abc123/alert")
        #expect(discovery["availability_topic"] as? String == "bridgecast/abc123/status")
        #expect((discovery["event_types"] as? [String])?.contains("up") == true)
        let status = try Broker.messages(of: "bridgecast/abc123/status", count: 1, at: port)
        #expect(status == ["1 bridgecast/abc123/status online"])
        // A subscriber that is there gets the next message, which is not retained.
        let live = Task.detached {
            try Broker.messages(of: "bridgecast/+/alert", count: 1, at: port)
        }
        try await Task.sleep(for: .milliseconds(500))
        #expect(await carrier.send(sampleMessage, to: subscriber(port)) == .delivered)
        let message = try #require(try await live.value.first).split(separator: " ", maxSplits: 2)
        #expect(message[0] == "0")
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(message[2].utf8)) as? [String: Any])
        #expect(document["event_type"] as? String == "up")
        #expect(document["title"] as? String == "Ballard Bridge is up, and 1 more")
        carrier.close()
        var last: [String] = []
        for _ in 1...50 where last != ["1 bridgecast/abc123/status offline"] {
            last = try Broker.messages(of: "bridgecast/abc123/status", count: 1, at: port)
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(last == ["1 bridgecast/abc123/status offline"])
    }

    @Test func aBrokerThatIsNotThereIsAFailureAndAPrivateOneIsRefused() async throws {
        let carrier = MQTTCarrier(reach: .everywhere)
        guard case .failed = await carrier.send(sampleMessage, to: subscriber(1)) else {
            Issue.record("nothing was sent")
            return
        }
        let careful = MQTTCarrier(reach: .publicOnly)
        #expect(
            await careful.send(sampleMessage, to: subscriber(1))
                == .refused(
                    reason: "its address is private or this machine's own; see --alerts-private"))
    }

    @Test func aBrokerThatComesBackGetsTheNextMessageOverANewConnection() async throws {
        let carrier = MQTTCarrier(reach: .everywhere)
        let first = try Broker()
        #expect(try await send(carrier, first.port) == .delivered)
        first.stop()
        var outcome = CarrierOutcome.delivered
        for _ in 1...50 where outcome == .delivered {
            outcome = await carrier.send(sampleMessage, to: subscriber(first.port))
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(outcome != .delivered)
        let second = try Broker(port: first.port)
        #expect(try await send(carrier, second.port) == .delivered)
        let status = try Broker.messages(
            of: "bridgecast/abc123/status", count: 1, at: second.port)
        #expect(status == ["1 bridgecast/abc123/status online"])
        second.stop()
    }
}
