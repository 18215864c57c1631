// The card of a model, written from an evaluation: its inputs, its skill and its limits; and the file of `--skill`.
import BridgecastAnswers
import BridgecastBench
import BridgecastCore
import BridgecastEngine
internal import BridgecastSupport
import BridgecastTraining

enum ModelCard {
    /// The card in Markdown.
    static func text(_ output: EvaluationOutput, of model: LoadedModel) -> String {
        [
            heading(model), madeFrom(model), figures(output), asLive(output.report),
            table(output.report),
            delay(output.report), baselines(output.report), confidence(output.report),
            limits(output.report, model.climatology),
        ].joined(separator: "\n\n") + "\n"
    }

    private static func heading(_ model: LoadedModel) -> String {
        let shape =
            ([FeatureSchema.count] + model.header.layers.map(\.outputs)).map(String.init)
            .joined(separator: "-")
        return """
            # \(model.header.name) (\(model.header.weightFormat.rawValue))

            Forecasts the delay at Seattle's drawbridges as a distribution over twelve bins, for \
            arrivals up to an hour ahead (beyond that it is climatology). A network of \(shape) \
            units on a climatological prior; format: `models/FORMAT.md`.
            """
    }

    private static func madeFrom(_ model: LoadedModel) -> String {
        let provenance = model.header.provenance
        let sources = provenance.sources.map { "- `\($0.file)`, SHA-256 `\($0.sha256.prefix(16))`" }
        let settings = provenance.settings.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return """
            ## Made from

            \(sources.joined(separator: "\n"))

            Records from \(TimeText.rfc3339(provenance.fittedFrom)) to before \
            \(TimeText.rfc3339(provenance.fittedBefore)), where covered; trainer commit \
            `\(provenance.commit.prefix(12))`, seed \(provenance.seed). \(settings).
            """
    }

    private static func figures(_ output: EvaluationOutput) -> String {
        let report = output.report
        var lines = [
            "## Figures", "",
            "Issue times from \(report.from) to \(report.to), \(report.days) days, "
                + "\(report.total.rows) forecasts 2 to 60 minutes ahead. Skill is "
                + "1 - loss / climatology's loss; in brackets 95 % intervals over resampled days. "
                + "\"Raised\" is that the span is up on arrival, \"stopped\" that time is lost: to the span, "
                + "or to the queue behind an opening at the profile's traffic.",
        ]
        if report.isInSample {
            lines.append(
                "**Not a test: the model was fitted to records of this period.**")
        }
        if let comparison = output.comparison {
            lines += [
                "",
                "Against `\(comparison.name)`: \(fixed(comparison.relativeLossPercent, 2)) % less "
                    + "skill; the chance that the span is raised differs by at most "
                    + "\(fixed(comparison.largestDifference, 4)).",
            ]
        }
        return lines.joined(separator: "\n")
    }

    /// The skill by what was known; as live comes first, since users have that.
    private static func asLive(_ report: EvaluationReport) -> String {
        var rows = [
            "| known at issue time | raised: log-loss skill | ECE | stopped: log-loss skill |",
            "|---|---|---|---|",
        ]
        for (name, scores) in EvaluationText.knowledges(report) {
            let error = (scores.raised.model?.calibrationError ?? 0) * 100
            rows.append(
                "| \(name) | \(estimate(scores.raised.modelSkill)) | \(fixed(error, 2)) pp | "
                    + "\(estimate(scores.stopped.modelSkill)) |")
        }
        return """
            As live, the bridges with a sensor are read every 20 seconds, and nothing is known from before the first \
            reading: University and Lower Spokane St have no sensor. The tables below are of complete knowledge.

            \(rows.joined(separator: "\n"))
            """
    }

    private static func table(_ report: EvaluationReport) -> String {
        var rows = [
            "| | raised: log-loss skill | stopped: log-loss skill | Brier skill | ECE | AUC |",
            "|---|---|---|---|---|---|",
        ]
        rows.append(row("2 to 60 min together", report.total))
        for lead in report.byLead where lead.leadMinutes > 0 {
            rows.append(row("\(Int(lead.leadMinutes)) min", lead.scores))
        }
        for bridge in report.byBridge { rows.append(row(bridge.bridge, bridge.scores)) }
        for time in report.byDayType { rows.append(row(time.name, time.scores)) }
        return rows.joined(separator: "\n")
    }

    private static func row(_ name: String, _ scores: GroupScores) -> String {
        let model = scores.stopped.model
        let cells = [
            name, estimate(scores.raised.modelSkill), estimate(scores.stopped.modelSkill),
            fixed(scores.stopped.brierSkill.value, 3),
            "\(fixed((model?.calibrationError ?? 0) * 100, 2)) pp",
            model?.auc.map { fixed($0, 3) } ?? "-",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private static func delay(_ report: EvaluationReport) -> String {
        var rows = [
            "| rho | RPS skill | pinball 0.5 / 0.8 / 0.95 | mean abs. error | below q0.5 / q0.8 / q0.95 | given a delay, below q0.8 |",
            "|---|---|---|---|---|---|",
        ]
        for traffic in DelayTraffic.allCases {
            guard let scores = report.total.delay[traffic.rawValue]?[Forecaster.model.rawValue],
                let skill = report.total.delaySkill[traffic.rawValue]
            else { continue }
            let levels = DelayScores.quantiles.map { "\($0)" }
            let cells = [
                traffic.rawValue, estimate(skill),
                levels.map { fixed(scores.pinballSeconds[$0] ?? 0, 2) }.joined(separator: " / ")
                    + " s",
                "\(fixed(scores.meanAbsoluteErrorSeconds, 1)) s",
                levels.map { fixed((scores.coverage[$0] ?? 0) * 100, 1) }.joined(separator: " / ")
                    + " %",
                scores.coverageIfDelayed.map { "\(fixed(($0["0.8"] ?? 0) * 100, 1)) %" } ?? "-",
            ]
            rows.append("| \(cells.joined(separator: " | ")) |")
        }
        return "The delay, by degree of saturation:\n\n" + rows.joined(separator: "\n")
    }

    private static func baselines(_ report: EvaluationReport) -> String {
        var rows = ["| forecast of raised on arrival | log-loss skill |", "|---|---|"]
        for forecaster in Forecaster.allCases {
            guard let skill = report.total.raised.skill[forecaster.rawValue] else { continue }
            rows.append("| \(forecaster.title) | \(estimate(skill)) |")
        }
        return "Against the baselines, on the same rows:\n\n" + rows.joined(separator: "\n")
    }

    private static func confidence(_ report: EvaluationReport) -> String {
        "The chance of being stopped by confidence (\(ConfidenceText.measure)):\n\n"
            + ConfidenceText.markdown(report.byConfidence)
    }

    /// Where the figures show no skill, and what they cannot show.
    private static func limits(
        _ report: EvaluationReport, _ climatology: Climatology
    ) -> String {
        let weak = report.byLead.filter {
            $0.leadMinutes > 0 && $0.scores.stopped.modelSkill.low <= 0
        }
        .map { "\(Int($0.leadMinutes)) min" }
        let weakText =
            weak.isEmpty
            ? "At every lead the interval of the skill is above zero, but "
            : "At \(weak.joined(separator: ", ")) the interval of the skill includes zero, and "
        return """
            ## Where it fails

            \(weakText)beyond 30 minutes the forecast is hardly better than climatology. Of a bridge, the \
            fit has \(coveredDays(climatology)) days on average. Lower Spokane St has had none since 2018 and \
            South Park few: their forecasts are marked LOW or rely on other bridges. A large vessel inside a \
            closed window, a stuck span or an event cannot be foreseen. Delays at a degree of saturation come \
            from a traffic model, not from counts of that hour.
            """
    }

    /// The mean of all bridges, such as "250 winter and 120 summer".
    private static func coveredDays(_ climatology: Climatology) -> String {
        Season.allCases.map { season in
            let days = BridgeIndex.all.reduce(0) {
                $0 + climatology.coveredDays(of: $1, in: season)
            }
            return "\(Int((days / Double(BridgeIndex.all.count)).rounded())) \(season)"
        }
        .joined(separator: " and ")
    }

    private static func estimate(_ estimate: Estimate) -> String {
        "\(fixed(estimate.value, 3)) (\(EvaluationText.interval(estimate)))"
    }
}

// MARK: - File of --skill

/// The file of `--skill`.
struct SkillFile: JSONAnswer {
    let header: ModelHeader
    let interval: Range<Timestamp>
    let days: Int
    let report: SkillReport
    /// The same rows as forecast from the live feed.
    let asLive: [(knowledge: Knowledge, report: SkillReport)]
    /// The time that following the forecast saves; nil without trips.
    let routes: RouteBacktestReport?

    func write(to json: inout JSONWriter) {
        let provenance = header.provenance
        json.object { json in
            json.object("evaluated_model") { json in
                json.field("name", header.name)
                json.field("weight_format", header.weightFormat.rawValue)
                json.field("trainer_commit", provenance.commit)
                json.field("seed", "\(provenance.seed)")
                json.field("fitted_before", TimeText.rfc3339(provenance.fittedBefore))
            }
            json.field("from", TimeText.rfc3339(interval.lowerBound))
            json.field("to", TimeText.rfc3339(interval.upperBound))
            json.field("days", days)
            json.field("in_sample", provenance.fittedBefore > interval.lowerBound)
            json.field(
                "method",
                "issue times every 5 minutes of covered time, arrivals 2 to 60 minutes later; raised: the span is up on "
                    + "arrival; stopped: time is lost, also to a queue, at the profile's traffic; reliability is of stopped; skill is "
                    + "1 - loss / loss of climatology; intervals are 95 %, over days drawn again 1,000 times"
            )
            json.object("total") { figures(report.total, &$0) }
            json.list("as_live", asLive) { json, live in
                json.object { json in
                    json.field("observed_min", live.knowledge.observedMinutes ?? 0, decimals: 0)
                    figures(live.report.total, &json)
                    json.list("by_bridge", live.report.byBridge) { bridge($1, &$0) }
                }
            }
            json.list("by_lead", report.byLead) { json, lead in
                json.object { json in
                    json.field("lead_min", lead.leadMinutes, decimals: 0)
                    figures(lead.figures, &json)
                }
            }
            json.list("by_bridge", report.byBridge) { bridge($1, &$0) }
            json.list("reliability", report.bands) { band($1, &$0) }
            if let routes {
                json.object("routes") { saved(routes, &$0) }
            } else {
                json.null("routes")
            }
        }
    }

    private func bridge(_ item: SkillReport.Bridge, _ json: inout JSONWriter) {
        json.object { json in
            let bridge = BridgeCatalogue[item.bridge]
            json.field("bridge", bridge.name)
            json.field("bridge_id", bridge.id.rawValue)
            figures(item.figures, &json)
            json.list("reliability", item.bands) { band($1, &$0) }
        }
    }

    private func figures(_ figures: SkillFigures, _ json: inout JSONWriter) {
        json.field("cases", figures.rows)
        json.object("raised") { event(figures.raised, &$0) }
        json.object("stopped") { event(figures.stopped, &$0) }
    }

    private func event(_ figures: EventFigures, _ json: inout JSONWriter) {
        json.field("rate", figures.rate, decimals: 5)
        estimate("log_loss_skill", figures.logLossSkill, &json)
        estimate("brier_skill", figures.brierSkill, &json)
        estimate("calibration_error", figures.calibrationError, &json)
        estimate("auc", figures.auc, &json)
    }

    private func band(_ band: ChanceBand, _ json: inout JSONWriter) {
        json.object { json in
            json.field("from", band.from, decimals: 2)
            json.field("to", band.to, decimals: 2)
            json.field("cases", band.rows)
            json.field("forecast_probability", band.meanForecast, decimals: 5)
            estimate("observed_frequency", band.frequency, &json)
        }
    }

    private func saved(_ routes: RouteBacktestReport, _ json: inout JSONWriter) {
        json.field("trips", routes.trips)
        json.field("days", routes.days)
        json.field("best_in_hindsight_min", routes.hindsightMinutes, decimals: 3)
        json.list("policies", routes.policies) { json, policy in
            json.object { json in
                json.field("policy", policy.policy.rawValue)
                json.field("mean_min", policy.meanMinutes, decimals: 3)
                estimate("regret_min", policy.regretMinutes, &json)
                json.field("stopped", policy.stopped, decimals: 5)
                estimate("regret_saved_by_bridgecast", routes.saved[policy.policy], &json)
            }
        }
    }

    private func estimate(_ name: StaticString, _ estimate: Estimate?, _ json: inout JSONWriter) {
        guard let estimate else { return json.null(name) }
        json.object(name) { json in
            json.field("value", estimate.value, decimals: 5)
            json.field("low", estimate.low, decimals: 5)
            json.field("high", estimate.high, decimals: 5)
        }
    }
}
