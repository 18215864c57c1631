// Places that a text may become; the answer of `/places`.
private import BridgecastCore
package import BridgecastRoads

/// Places and street corners, the likeliest first.
package struct PlacesDocument: Sendable, JSONAnswer {
    /// What the answer begins with.
    package let envelope: Envelope
    /// What the text may become.
    package let places: [Completion]

    /// Completes a text, or lists the places that have a name where nothing was typed.
    ///
    /// - Parameter limit: How many at most.
    package init(_ text: String?, limit: Int, on network: RoadNetwork, _ envelope: Envelope) {
        self.envelope = envelope
        places =
            text.map { network.completions(of: $0, limit: limit) }
            ?? network.namedPlaces(limit: limit)
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            json.list("places", places) { json, place in
                json.object { json in
                    json.field("name", place.name)
                    json.field("kind", Self.word(place.kind))
                    json.field("latitude", place.point.latitude, decimals: 6)
                    json.field("longitude", place.point.longitude, decimals: 6)
                }
            }
        }
    }

    private static func word(_ kind: Completion.Kind) -> String {
        switch kind {
        case .corner: "corner"
        case .place(let kind): "\(kind)"
        }
    }
}
