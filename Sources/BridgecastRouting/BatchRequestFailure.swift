// Requests of a batch that failed while others were answered.
package import BridgecastData
package import BridgecastSupport

/// Some of the requests of a batch failed; the answers to the others are used.
package struct BatchRequestFailure: Failure, Equatable {
    /// What the failed requests asked for, in order.
    package let requests: [String]
    /// The number of requests in the batch.
    package let count: Int
    /// The failure of the first of them.
    package let first: FeedError

    package init(requests: [String], count: Int, first: FeedError) {
        self.requests = requests
        self.count = count
        self.first = first
    }

    package var kind: FailureKind { first.kind }
    /// Others were answered.
    package var isMadeGood: Bool { requests.count < count }

    package var description: String {
        "\(requests.count) of \(count) requests failed (\(requests.joined(separator: ", "))): "
            + first.description(of: .routeServer)
    }

    package var recovery: String {
        isMadeGood ? "The routes that were found are ranked. \(first.recovery)" : first.recovery
    }
}
