// A service with a small timetable over Ballard Bridge and scripted realtime feeds.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import Hummingbird
import NIOCore
import Synchronization

@testable import BridgecastService

/// A realtime feed that says what a test has it say; nil is a failure.
final class SpokenFeed: RealtimeSource {
    /// What it throws where it says nothing.
    struct Silence: Error {}

    let id: String
    private let bytes: Mutex<[UInt8]?>

    init(_ id: String, _ bytes: [UInt8]?) {
        self.id = id
        self.bytes = Mutex(bytes)
    }

    /// Has it say something else from now on.
    func say(_ bytes: [UInt8]?) { self.bytes.withLock { $0 = bytes } }

    func fetch(at now: Timestamp) async throws -> [UInt8]? {
        guard let bytes = bytes.withLock({ $0 }) else { throw Silence() }
        return bytes
    }
}

enum TransitFixture {
    static let evening = ServiceFixture.evening

    /// Trip updates by which the bus of 18:00 is three minutes late, so that it reaches the raised bridge.
    static var updates: SpokenFeed {
        SpokenFeed(
            "trip_updates",
            SmallTransit.tripUpdates(
                of: SmallTransit.trip(at: "18:00"), delaySeconds: 180, at: evening))
    }

    /// Vehicle positions by which that bus is at its first stop.
    static var vehicles: SpokenFeed {
        SpokenFeed(
            "vehicle_positions",
            SmallTransit.vehicles(
                of: SmallTransit.trip(at: "18:00"), latitude: 47.6500, at: evening))
    }

    /// A timetable with realtime feeds.
    ///
    /// - Parameter folder: The timetable's; nil for one that is gone once it has been read.
    static func parts(
        _ sources: [any RealtimeSource] = [updates, vehicles], folder: URL? = nil
    ) throws -> TransitParts {
        let read = try folder ?? SmallTransit.folder()
        defer { if folder == nil { try? FileManager.default.removeItem(at: read) } }
        var parts = TransitParts(try TransitFeed(contentsOf: read), from: folder)
        parts.sources = sources
        return parts
    }

    /// A state with a board, a timetable and what the feeds say.
    static func state(
        _ sources: [any RealtimeSource] = [updates, vehicles], folder: URL? = nil,
        settings: ServiceSettings = ServiceSettings()
    ) async throws -> ServiceState {
        var parts = try ServiceFixture.parts()
        parts.transit = try self.parts(sources, folder: folder)
        let state = ServiceState(parts, settings)
        state.show(try await ServiceFixture.state().snapshot())
        await state.transit?.refresh()
        return state
    }

    /// Sends requests to a service without a socket.
    static func asking(
        _ state: ServiceState, _ body: @Sendable (ServiceClient) async throws -> Void
    ) async throws {
        try await body(ServiceClient(ServiceResponder(state, try ProxyTrust(state.settings))))
    }

    /// The answer to a GET as JSON.
    static func json(
        _ uri: String, _ client: ServiceClient
    ) async throws -> JSONValue {
        try .read((try await client.execute(uri: uri, method: .get)).body.readableBytesView)
    }
}

extension JSONValue {
    /// The value at a path of names and numbers, such as `data.departures.0.status`; nil if there is none.
    func at(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(self) { value, part in
            guard let value else { return nil }
            if let place = Int(part) {
                guard let values = value.values, values.indices.contains(place) else { return nil }
                return values[place]
            }
            return value[String(part)]
        }
    }
}
