// The alerts of people with tokens, as their requests reach them: the file, what may be pushed to, and streams.
package import BridgecastAlerts
internal import BridgecastCore
package import BridgecastJourneys
internal import BridgecastStore
internal import BridgecastSupport
package import Foundation
private import Synchronization

/// Opens the file of alerts for requests of people with tokens.
///
/// Each request names the person whose token was checked; nothing in it names another.
package final class PersonAlerts: Sendable {
    private let url: URL
    /// Why no messages can be sent to a browser.
    let refusal: Refusal
    /// Opens streams.
    let listen: Listen

    /// The part of a subscription because of which no messages can be sent to the browser; nil if they can.
    package typealias Refusal = @Sendable (PushSubscription) -> PushSubscription.Part?

    /// A person's stream of alerts, after the id of the last event that was seen.
    package typealias Listen = @Sendable (Person, String?) throws -> AsyncStream<[UInt8]>

    private let opened = Mutex<AlertStore?>(nil)

    /// Creates the access to a file, which the service that delivers makes.
    ///
    /// - Parameter refusal: Why no messages can be sent to a browser.
    package init(_ url: URL, refusal: @escaping Refusal, listen: @escaping Listen) {
        self.url = url
        self.refusal = refusal
        self.listen = listen
    }

    deinit { opened.withLock { $0?.close() } }

    /// The file, opened if it is not.
    ///
    /// - Throws: ``Problem`` 503 before it is there, or an error of the file.
    var store: AlertStore {
        get throws {
            try opened.withLock { opened in
                if let opened { return opened }
                guard AlertStore.isThere(url) else {
                    throw Problem(
                        .overloaded, "alerts are not ready yet", recovery: "try again in a second",
                        retryAfterSeconds: 1)
                }
                let store = try AlertStore(url, .writing, emptiesLogRegularly: true)
                opened = store
                return store
            }
        }
    }
}

extension Person {
    /// The person as the file of alerts knows them.
    package var alertOwner: AlertOwner { AlertOwner(id: id, name: name) }
}

extension ServiceRequest {
    /// The alerts of the service.
    ///
    /// - Throws: ``Problem`` 404 for a service that sends none.
    var alerts: PersonAlerts {
        get throws(Problem) {
            guard let alerts = state.parts.personAlerts else {
                throw Problem(
                    .notFound, "this service sends no alerts",
                    recovery: "ask the operator to start it without --no-alerts")
            }
            return alerts
        }
    }
}

extension Problem {
    /// What a file of alerts refuses.
    ///
    /// - Throws: The error itself where the request is not to blame.
    init(_ error: AlertStoreError) throws {
        let look = "look at \(PrivateResources.base)/alerts"
        let busy = "try again in a second"
        switch error.problem {
        case .unknown:
            self.init(.notFound, "you have nothing of this id", recovery: look)
        case .tooManyTests:
            self.init(
                .tooManyRequests, "\(error.problem)", recovery: "wait a minute",
                retryAfterSeconds: 60)
        case .file(.busy), .file(.full):
            self.init(.overloaded, "\(error.problem)", recovery: busy, retryAfterSeconds: 1)
        case .file, .missing, .inUse: throw error
        // Its text names options of the command.
        case .rule(.noCondition):
            self.init(
                .unprocessable, "the rule is about nothing",
                recovery: "send up, down, still_up or likely with a bridge")
        case .address(.push(let part)):
            self.init(part, of: .push(part))
        default: self.init(.unprocessable, "\(error.problem)", recovery: look)
        }
    }

    /// What is wrong with a browser's subscription.
    init(_ part: PushSubscription.Part, of problem: AlertAddressProblem) {
        self.init(
            .unprocessable, "\(problem)", recovery: "send what the browser gives",
            parameter: part.rawValue)
    }

    /// Why a person gets no stream.
    init(_ refusal: AlertStreamRefusal) {
        switch refusal {
        case .notOpen:
            self.init(
                .overloaded, "no alerts are delivered now", recovery: "try again in five seconds",
                retryAfterSeconds: 5)
        case .tooMany(let max):
            self.init(
                .tooManyRequests, "you have \(max) streams open already",
                recovery: "close one of them", retryAfterSeconds: 60)
        }
    }

    /// Runs what opens or uses the file of alerts.
    static func catchingAlerts<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as AlertStoreError {
            throw try Problem(error)
        }
    }
}
