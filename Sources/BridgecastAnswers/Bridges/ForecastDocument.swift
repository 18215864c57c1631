// Forecasts as JSON: what `GET /forecast` and `POST /forecast` answer.

/// Forecasts of one issue time.
package struct ForecastDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: Envelope
    /// The forecasts, in the order asked for.
    package let forecasts: [BridgeForecast]

    /// A document of forecasts.
    package init(_ forecasts: [BridgeForecast], _ envelope: Envelope) {
        (self.forecasts, self.envelope) = (forecasts, envelope)
    }

    /// Bytes that the document may take, roughly; enough to make room for.
    package var usualBytes: Int {
        forecasts.reduce(1_024) { $0 + ($1.reasons == nil ? 400 : 1_200) }
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            json.list("forecasts", forecasts)
        }
    }
}
