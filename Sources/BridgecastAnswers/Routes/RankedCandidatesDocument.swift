// Many ranked candidates as JSON, in the short form; written straight from their figures.
private import BridgecastCore

/// The JSON of many ranked candidates: what PredictionDocument says, without what takes long to say.
package struct RankedCandidatesDocument: JSONAnswer {
    private let ranked: RankedCandidates
    private let context: ForecastContext
    private let source: RouteSource

    /// The document of a ranking for the context's departure.
    package init(_ ranked: RankedCandidates, of source: RouteSource, in context: ForecastContext) {
        (self.ranked, self.source, self.context) = (ranked, source, context)
    }

    /// Bytes that a document of so many routes takes, roughly and rather more.
    package static func roomBytes(_ routes: Int) -> Int { 4_096 + routes * 420 }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            context.envelope.write(into: &json)
            json.field("departure", context.departure)
            json.field("route_source", source)
            json.null("attribution")
            json.list("groups", ranked.groups) { json, group in
                let first = ranked.routes[group.order[0]]
                json.object { json in
                    json.field("origin", first.origin)
                    json.field("destination", first.destination)
                    json.field("mode", first.mode.rawValue)
                    json.list("routes", group.order.indices) { json, rank in
                        let place = group.order[rank]
                        json.object { json in
                            RouteEntry(
                                rank: rank + 1, route: ranked.routes[place],
                                figures: ranked.figures[place], departure: context.departure
                            ).write(into: &json)
                        }
                    }
                }
            }
        }
    }
}
