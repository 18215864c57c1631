// What a model file says about its making; used by `train` and `origins run`.
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

extension TrainingPlan {
    /// The settings of the trainer by name: equal for equal recipes.
    var namedSettings: [String: String] {
        [
            "hidden": settings.hiddenSizes.map(String.init).joined(separator: ","),
            "batchRows": "\(settings.batchRows)", "epochs": "\(settings.epochs)",
            "learningRate": "\(settings.learningRate)",
            "weightDecay": "\(settings.weightDecay)", "dropout": "\(settings.dropout)",
            "teachers": "\(teachers)", "trees": "\(boosting.trees)",
            "networkTeachers": "\(networkTeachers)", "networkShare": "\(networkShare)",
            "additiveShare": "\(additiveShare)",
            "leaves": "\(boosting.leaves)", "boostingPasses": "\(boostingPasses)",
            "minutesBetweenIssueTimes": "\(minutesBetweenIssueTimes)",
        ]
    }

    /// What a model file says about its making.
    func provenance(of model: TrainedModel, sources: [ModelProvenance.Source]) -> ModelProvenance {
        let end = model.fittedBefore
        let starts = history.coverage.periods.compactMap { $0.first?.lowerBound }
        return ModelProvenance(
            sources: sources, fittedFrom: starts.min() ?? end, fittedBefore: end, seed: seed,
            commit: GitCommit.current(), settings: namedSettings, scores: scores(of: model))
    }

    private func scores(of model: TrainedModel) -> [String: Double] {
        var scores: [String: Double] = [:]
        scores["validationLogLoss"] = model.validationLoss
        scores["validationLogLossOfPrior"] = model.priorValidationLoss
        return scores
    }
}
