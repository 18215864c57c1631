// What every command that forecasts for a traveller asks for: when, from what knowledge, by which model.
// Belongs here: options that several commands share, and how their values are read; not: options of one command.
package import ArgumentParser
package import BridgecastAnswers
package import BridgecastCore

/// Options of `predict`, `depart`, `bridge` and of the commands of transit.
package struct ForecastOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "The moment: RFC 3339, or Seattle time such as 2026-02-20T17:50 (of a transit feed its own clock). Default: now."
    )
    package var at: String?

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "Bridge states now: GetBridgeData's reply or our form (JSON).")
    var live: String?

    @Option(
        name: .long,
        help:
            "Degree of saturation, 0 to 1: RHO for all bridges or BRIDGE=RHO; also from a feed: BRIDGE=95s/60s (travel time over free flow) or BRIDGE=2400vph (vehicles an hour, the busier direction); may be repeated. Default: by hour."
    )
    var traffic: [String] = []

    @Option(
        name: .long,
        help:
            "Measured traffic (CSV or JSON); values older than 15 minutes are not used."
    )
    var trafficFile: String?

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    /// Creates the usual options.
    package init() {}

    /// Whether forecasts are to be made from what is shipped and kept, nothing else being named.
    package var isUsual: Bool {
        model == nil && !store.isNamed && live == nil && traffic.isEmpty && trafficFile == nil
    }

    /// The departure asked for.
    func departure() throws -> Timestamp { try at.map { try TimeText.parse($0) } ?? .now }

    /// A departure, the one asked for unless it is given, and what is known at or before it; remarks on what is
    /// missing.
    ///
    /// What is asked for in the past is answered with what was known then.
    /// - Parameters:
    ///   - issued: What was known then is used; the departure asked for unless something else is said.
    ///   - isSilent: Whether what is missing is not remarked on, because it was before.
    package func context(
        leaving given: Timestamp? = nil, knowing issued: Timestamp? = nil, isSilent: Bool = false
    ) throws -> ForecastContext {
        let now = Timestamp.now
        let departure = try given ?? self.departure()
        let issueTime = min(now, try issued ?? self.departure(), departure)
        let context = try ForecastContext(
            departure: departure, issueTime: issueTime, askedAt: now,
            model: try ModelLoading.load(model),
            source: try SituationSource(store, live, at: now),
            traffic: try TrafficText.density(traffic, file: trafficFile, at: issueTime))
        if !isSilent { remark(context.notes) }
        return context
    }
}
