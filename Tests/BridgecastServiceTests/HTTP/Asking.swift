// Requests to a service without a socket; for tests of the gate.
import BridgecastEngine
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

/// Sends requests to a service without a socket.
func asking(
    _ settings: ServiceSettings = ServiceSettings(), hasBoard: Bool = true,
    _ body: @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
    let state =
        hasBoard
        ? try await ServiceFixture.state(settings: settings)
        : ServiceState(try ServiceFixture.parts(), settings)
    let application = Application(
        responder: ServiceResponder(state, try ProxyTrust(settings)))
    try await application.test(.router, body)
}
