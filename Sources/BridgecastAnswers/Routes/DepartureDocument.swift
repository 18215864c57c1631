// What a search for departures found, as JSON: of the command and of the service.
private import BridgecastCore
private import BridgecastEngine

/// The JSON of departures.
package struct DepartureDocument: JSONAnswer {
    private let advice: DepartureAdvice

    /// The document of what was found.
    package init(_ advice: DepartureAdvice) { self.advice = advice }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        let (origin, destination, mode) = advice.request.ends
        json.object { json in
            advice.context.envelope.write(into: &json)
            json.field("origin", origin)
            json.field("destination", destination)
            json.field("mode", mode.rawValue)
            json.field("arrive_by", advice.deadline)
            json.field("confidence", advice.confidence, decimals: 5)
            json.field("route_source", advice.source)
            json.field("attribution", advice.request.attribution)
            json.list("latest", advice.curve.latest) { json, latest in
                Self.write(latest.score, leaving: latest.departure, to: &json)
            }
            json.list("points", advice.curve.points) { json, point in
                json.object { json in
                    json.field("departure", point.departure)
                    json.list("routes", point) { json, score in
                        Self.write(score, leaving: point.departure, to: &json)
                    }
                }
            }
        }
    }

    private static func write(
        _ score: RouteScore, leaving departure: Timestamp, to json: inout JSONWriter
    ) {
        json.object { json in
            json.field("departure", departure)
            json.field("route_id", score.route.id)
            json.field("route", score.route.name)
            json.field("expected_s", score.expectedMinutes * 60, decimals: 1)
            json.field("p50_s", score.p50Minutes * 60, decimals: 1)
            json.field("p90_s", score.p90Minutes * 60, decimals: 1)
            json.field("expected_arrival", score.expectedArrival(leaving: departure))
            json.field("probability_on_time", score.probabilityOnTime, decimals: 5)
            json.field("probability_stopped", score.probabilityStopped, decimals: 5)
        }
    }
}
