// Alerts of a person with a token: to each of their browsers, and to the pages that they have open.
public import BridgecastAlerts

/// Sends a person's messages to all that they have.
///
/// A message counts as delivered when one of a person's browsers or pages has accepted it, and is then not sent to the others
/// again. A browser that has unsubscribed is forgotten; the person's rules stay.
public struct PersonCarrier: AlertCarrier {
    private let store: AlertStore
    private let streams: AlertStreams
    private let push: PushCarrier

    /// Creates a carrier.
    public init(_ store: AlertStore, streams: AlertStreams, push: PushCarrier) {
        self.store = store
        self.streams = streams
        self.push = push
    }

    /// Sends a message once to each browser and page.
    public func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        guard case .person = subscriber.address else {
            return .refused(reason: "not a person with a token")
        }
        let browsers: [AlertBrowser]
        do {
            browsers = try store.browsers(of: subscriber.id)
        } catch {
            return .failed(reason: "\(error)")
        }
        let page = await streams.send(message, to: subscriber)
        let outcomes = await send(message, to: browsers, of: subscriber)
        return page == .delivered ? .delivered : Self.summary(outcomes)
    }

    private func send(
        _ message: AlertMessage, to browsers: [AlertBrowser], of subscriber: Subscriber
    ) async -> [CarrierOutcome] {
        await withTaskGroup { group in
            for browser in browsers {
                group.addTask {
                    let address = Subscriber(
                        id: subscriber.id, name: subscriber.name,
                        address: .push(browser.subscription))
                    let outcome = await push.send(message, to: address)
                    if case .gone = outcome {
                        // It is tried again with the next message where the file cannot be written now.
                        _ = try? store.removeBrowser(browser.id, of: subscriber.id)
                    }
                    return outcome
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// What came of a message of which one was sent to each browser: the best that became of any.
    static func summary(_ outcomes: [CarrierOutcome]) -> CarrierOutcome {
        func rank(_ outcome: CarrierOutcome) -> Int {
            switch outcome {
            case .delivered: 0
            // It may have arrived: it is not sent again.
            case .uncertain: 1
            case .failed: 2
            case .refused: 3
            case .gone: 4
            }
        }
        guard let best = outcomes.min(by: { rank($0) < rank($1) }) else {
            return .failed(reason: "no browser is switched on, and no page is open")
        }
        // The person is still there, and may switch on another browser.
        if case .gone(let reason) = best { return .failed(reason: reason) }
        return best
    }
}
