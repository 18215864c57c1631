// What one request about buses and trains is answered from: a snapshot, the bridges' forecasts, how old all of it is.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import HTTPTypes

/// Everything that is known at the moment of a request.
struct TransitView: Sendable {
    /// The timetable with its stations and crossings.
    let desk: TransitDesk
    /// What boards are read from.
    let snapshot: TransitSnapshot
    /// Forecasts of the bridges; nil before there are any, and where no line of the timetable crosses one.
    let bridges: TransitBridges?
    /// When the request was taken in, by the service's clock.
    let now: Timestamp
    private let status: TransitStatus
    private let forecasts: Envelope?

    /// Looks at what there is now.
    ///
    /// - Throws: ``Problem`` 404 where the service was started without a timetable.
    init(_ request: ServiceRequest) throws(Problem) {
        guard let transit = request.state.transit else {
            throw Problem(
                .notFound, .noData, "this service was started without a timetable",
                recovery: "ask the operator to name one with --transit")
        }
        let desk = transit.desk
        (self.desk, snapshot) = (desk, desk.snapshot)
        (now, status) = (request.now, transit.status)
        // Before the first forecast buses run as well.
        let board = desk.crossings.isEmpty ? nil : try? request.board()
        bridges = board.map { TransitBridges(desk.crossings, $0.knowledge) }
        forecasts = board?.envelope(at: request.now)
    }

    /// The timetable.
    var feed: TransitFeed { desk.feed }

    /// What an answer begins with.
    ///
    /// - Parameters:
    ///   - moment: What it is about.
    ///   - tellsOfBridges: Whether forecasts of bridges stand in it.
    func envelope(about moment: Timestamp? = nil, tellsOfBridges: Bool = true) -> TransitEnvelope {
        var envelope = TransitEnvelope(
            snapshot, generatedAt: now, validAt: moment ?? now,
            bridges: tellsOfBridges ? forecasts : nil,
            warnings: TransitWarnings.words(snapshot, at: now))
        envelope.sources.insert(status.source, at: 0)
        return envelope
    }
}

extension Board {
    /// The bridges as those who queue meet them.
    var knowledge: BridgeKnowledge {
        BridgeKnowledge(
            minuteTable, situation: situation, climatology: model.climatology, traffic: traffic)
    }
}
