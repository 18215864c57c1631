// The actor that serves forecasts: owns the model in use and a workspace, and swaps models safely.
public import BridgecastCore
public import Foundation

/// What a caller asks: the delay at a bridge at an arrival time.
public struct ForecastRequest: Sendable, Hashable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// Minutes from issue time to arrival, not negative.
    public var leadMinutes: Double
    /// Degree of saturation of the approach at the arrival, 0 ..< 1; 0 forecasts "blocked".
    public var density: Float

    /// Creates a request.
    public init(bridge: BridgeIndex, leadMinutes: Double, density: Float) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.density = density
    }
}

/// Loads a model and forecasts with it.
///
/// The network runs inside one call without suspension, so a reload never mixes two models in one
/// answer.
public actor TrafficInference {
    /// The model in use.
    public private(set) var model: LoadedModel
    /// The code path in use.
    public let computeUnits: ComputeUnits

    private var builder: FeatureBuilder
    private var workspace = Workspace()
    private var batch = FeatureBatch()
    private var probabilities: [Float] = []

    /// Loads and validates a model file.
    ///
    /// - Throws: ``ModelFileError``.
    public init(contentsOf url: URL, computeUnits: ComputeUnits = .all) throws(ModelFileError) {
        self.init(try ModelFile.read(url), computeUnits: computeUnits)
    }

    /// Serves a model that is already loaded.
    public init(_ model: LoadedModel, computeUnits: ComputeUnits = .all) {
        self.model = model
        self.computeUnits = computeUnits
        builder = FeatureBuilder(climatology: model.climatology)
    }

    /// Replaces the model by another file's; if that is refused, the old one goes on serving.
    ///
    /// - Throws: ``ModelFileError``.
    public func reload(contentsOf url: URL) throws(ModelFileError) {
        model = try ModelFile.read(url)
        builder = FeatureBuilder(climatology: model.climatology)
    }

    /// Forecasts the delay for each request, all in one batch.
    ///
    /// - Parameters:
    ///   - requests: Any number, also none.
    ///   - situation: What is known at issue time.
    /// - Returns: One distribution per request, in order.
    public func forecast(
        _ requests: [ForecastRequest], in situation: Situation
    ) -> [DelayDistribution] {
        batch.removeAll()
        for request in requests {
            builder.append(
                request.bridge, leadMinutes: request.leadMinutes, density: request.density,
                in: situation, to: &batch)
        }
        model.predict(batch, into: &probabilities, workspace: &workspace, units: computeUnits)
        return requests.indices.map { row in
            DelayDistribution(
                probabilities[row * DelayBins.count..<(row + 1) * DelayBins.count])
        }
    }

    /// Forecasts every bridge at a grid of leads, with queueing and without, in one batch.
    ///
    /// - Parameters:
    ///   - minutes: The farthest arrival the table must reach.
    ///   - traffic: Densities of the approaches.
    public func table(
        in situation: Situation, reaching minutes: Double, traffic: TrafficDensity
    ) -> ForecastTable {
        let leads = ForecastTable.leads(upTo: minutes)
        let requests = [true, false].flatMap { queues in
            BridgeIndex.all.flatMap { bridge in
                leads.map { lead in
                    let arrival = situation.issueTime.adding(minutes: lead)
                    return ForecastRequest(
                        bridge: bridge, leadMinutes: lead,
                        density: queues ? Float(traffic.density(of: bridge, at: arrival)) : 0)
                }
            }
        }
        let forecasts = forecast(requests, in: situation)
        let rows = stride(from: 0, to: forecasts.count, by: leads.count).map {
            Array(forecasts[$0..<$0 + leads.count])
        }
        let bridges = BridgeCatalogue.count
        return ForecastTable(
            leadsMinutes: leads,
            distributions: [Array(rows[..<bridges]), Array(rows[bridges...])])
    }
}
