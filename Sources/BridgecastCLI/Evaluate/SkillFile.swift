// `bridgecast evaluate --skill FILE`: the evaluation as the service's `/skill` shows it, with the model it is of.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastTraining

/// What a file of skill says.
struct SkillFile: JSONAnswer {
    let header: ModelHeader
    let interval: Range<Timestamp>
    let days: Int
    let report: SkillReport
    /// What following the forecast saves drivers; nil if it was not asked.
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
                "issue times every 5 minutes of covered time, arrivals 2 to 60 minutes later; skill is "
                    + "1 - loss / loss of climatology; intervals are 95 %, over days drawn again 1,000 times"
            )
            json.object("total") { figures(report.total, &$0) }
            json.list("by_lead", report.byLead) { json, lead in
                json.object { json in
                    json.field("lead_min", lead.leadMinutes, decimals: 0)
                    figures(lead.figures, &json)
                }
            }
            json.list("by_bridge", report.byBridge) { json, item in
                json.object { json in
                    let bridge = BridgeCatalogue[item.bridge]
                    json.field("bridge", bridge.name)
                    json.field("bridge_id", bridge.id.rawValue)
                    figures(item.figures, &json)
                    json.list("reliability", item.bands) { band($1, &$0) }
                }
            }
            json.list("reliability", report.bands) { band($1, &$0) }
            if let routes {
                json.object("routes") { saved(routes, &$0) }
            } else {
                json.null("routes")
            }
        }
    }

    private func figures(_ figures: SkillFigures, _ json: inout JSONWriter) {
        json.field("cases", figures.rows)
        json.field("blocked_rate", figures.blockedRate, decimals: 5)
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
            json.field("said", band.said, decimals: 5)
            estimate("happened", band.happened, &json)
        }
    }

    private func saved(_ routes: RouteBacktestReport, _ json: inout JSONWriter) {
        json.field("trips", routes.trips)
        json.field("days", routes.days)
        json.field("hindsight_min", routes.hindsightMinutes, decimals: 3)
        json.list("policies", routes.policies) { json, policy in
            json.object { json in
                json.field("following", policy.policy.rawValue)
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
