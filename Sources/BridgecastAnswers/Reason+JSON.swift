// Reasons as JSON: code, values and words; part of forecasts, crossings and summaries of bridges.
package import BridgecastCore

extension Reason: JSONAnswer {
    /// Writes `{"code", "values", "text"}`; bridges by name, moments in RFC 3339.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("code", code.rawValue)
            json.object("values") { json in
                for field in values { json.field(named: field.name, field.value) }
            }
            json.field("text", text)
        }
    }
}

extension JSONWriter {
    /// Writes a value of a reason as a field.
    fileprivate mutating func field(named name: String, _ value: Reason.Value) {
        switch value {
        case .bridge(let bridge): field(named: name, BridgeCatalogue[bridge].name)
        case .minutes(let whole), .hours(let whole), .count(let whole):
            field(named: name, Double(whole), decimals: 0)
        case .probability(let probability): field(named: name, probability, decimals: 5)
        case .time(let moment): field(named: name, moment)
        }
    }
}
