// The reasons given for a certificate that is not accepted.
import BridgecastCore
import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastFeeds

@Suite struct CertificateTests {
    /// The words of OpenSSL and of GnuTLS, as libcurl hands them on.
    @Test(arguments: [
        ("SSL certificate problem: self-signed certificate", "is not trusted"),
        ("SSL certificate problem: unable to get local issuer certificate", "is not trusted"),
        (
            "server certificate verification failed. CAfile: /etc/ssl/certs/ca-certificates.crt CRLfile: none",
            "is not trusted"
        ),
        ("", "is not trusted"),
        ("SSL certificate problem: certificate has expired", "has expired"),
        ("server certificate expiration date has passed.", "has expired"),
        (
            "SSL certificate problem: certificate is not yet valid",
            "is not valid yet; is this machine's clock right?"
        ),
        (
            "SSL: no alternative certificate subject name matches target host name 'localhost'",
            "is for another host"
        ),
        (
            "SSL: certificate subject name (example.org) does not match target host name 'localhost'",
            "is for another host"
        ),
    ])
    func whatIsWrongIsOneSentence(_ example: (String, String)) {
        let problem = HTTPFailure.certificateProblem(example.0)
        #expect(problem == "its certificate \(example.1)")
    }

    @Test func aServerWithACertificateOfItsOwnIsNotTrusted() async throws {
        let server = try TLSServer()
        defer { server.stop() }
        let plain = try StandIn.shared.get().address
        try await FeedClient.with(log: quietLog) { client in
            for (address, words) in [
                (server.address, "cannot be reached (its certificate is not trusted)"),
                (plain.replacing("http:", with: "https:"), "(no TLS connection; is the address"),
            ] {
                let request = FeedRequest(feed: "test", url: address)
                let error = await #expect(throws: FeedError.self) {
                    try await client.get(request, retrying: .once) { $0 ?? [] }
                }
                #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            }
        }
    }
}

/// A server with a certificate that it made itself.
private struct TLSServer {
    let address: String
    private let process = Process()
    private let input = Pipe()

    init() throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3",
            Fixtures.checkout.appendingPathComponent("tools/checks/feeds/tls_server.py").path,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = output.fileHandleForReading.availableData
        address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        try #require(address.hasPrefix("https://"), "python3 and openssl are needed")
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
