// The model that serves at a moment; a reload puts another in its place.
internal import BridgecastCore

/// A model in use and what builds its features.
struct Serving: Sendable {
    let model: LoadedModel
    let builder: FeatureBuilder

    init(_ model: LoadedModel) {
        self.model = model
        builder = FeatureBuilder(climatology: model.climatology)
    }

    /// The inputs of requests that have been checked.
    func rows(_ requests: [ForecastRequest], in situation: Situation) -> FeatureBatch {
        var batch = FeatureBatch(capacity: requests.count)
        for request in requests {
            builder.append(
                request.bridge, leadMinutes: request.leadMinutes, density: request.density,
                in: situation, to: &batch)
        }
        return batch
    }
}
