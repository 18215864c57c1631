// What a request about buses and trains is answered from. Finding what it names is in TransitNames.swift.
internal import BridgecastAnswers
internal import BridgecastTransitAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastTransit
internal import HTTPTypes

struct TransitView: Sendable {
    let timetable: LiveTimetable
    let snapshot: TransitSnapshot
    /// Forecasts of the bridges; nil before the first, and if no line of the timetable crosses a bridge.
    let bridges: TransitBridges?
    let now: Timestamp
    private let status: TransitStatus
    private let forecasts: Envelope?

    /// - Throws: ``Problem`` 404 if the service was started without a timetable.
    init(_ request: ServiceRequest) throws(Problem) {
        guard let transit = request.state.transit else {
            throw Problem(
                .noData, "this service was started without a timetable",
                recovery: "ask the operator to name one with --transit")
        }
        let timetable = transit.timetable
        self.timetable = timetable
        snapshot = timetable.snapshot
        now = request.now
        status = transit.status
        // Buses are shown even before the first forecast.
        let bridgesNow = timetable.crossings.isEmpty ? nil : try? request.snapshot()
        bridges = bridgesNow.map { TransitBridges(timetable.crossings, $0.knowledge) }
        forecasts = bridgesNow?.envelope(at: request.now)
    }

    var feed: TransitFeed { timetable.feed }

    /// The envelope of an answer.
    ///
    /// - Parameters:
    ///   - time: The time that it is about; by default now.
    ///   - includesBridges: Whether it has forecasts of bridges.
    func envelope(about time: Timestamp? = nil, includesBridges: Bool = true) -> TransitEnvelope {
        var envelope = TransitEnvelope(
            snapshot, generatedAt: now, validAt: time ?? now,
            bridges: includesBridges ? forecasts : nil,
            warnings: TransitWarnings.list(snapshot, at: now))
        envelope.sources.insert(status.source, at: 0)
        return envelope
    }
}

extension BridgesSnapshot {
    /// The bridges as vehicles that queue meet them.
    var knowledge: BridgeKnowledge {
        BridgeKnowledge(
            minuteTable, situation: situation, climatology: model.climatology, traffic: traffic)
    }
}

enum TransitWarnings {
    /// A line for each realtime feed that fails, is stale, or has a remark.
    static func list(_ snapshot: TransitSnapshot, at now: Timestamp) -> [String] {
        snapshot.sources.compactMap { source in
            let status = SourceStatus(source, at: now)
            let age = status.ageSeconds.map(ageText)
            guard let problem = status.problem else {
                return status.isStale
                    ? "\(source.id): its data is \(age ?? "0 min") old; times may be wrong"
                    : source.remark.map { "\(source.id): \($0)" }
            }
            guard let age, source.fetchedAt != nil else {
                return "\(source.id): \(problem); there is no data from it"
            }
            return "\(source.id): \(problem); its data from \(age) ago is still shown"
        }
    }

    /// An age: minutes below two hours, hours below two days, then days.
    private static func ageText(_ seconds: Double) -> String {
        let minutes = Int(seconds / 60)
        if minutes < 120 { return "\(minutes) min" }
        return minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) days"
    }
}
