// Reasons already written as JSON: they are the same for every forecast of a bridge and minute, and dear to word.
package import BridgecastCore

/// The reasons for a forecast, as a list in JSON on one line.
package struct ReasonList: Sendable {
    /// The list.
    let json: [UInt8]

    /// Writes reasons.
    package init(_ reasons: [Reason]) {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for (place, reason) in reasons.enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            json += reason.jsonBytes()
        }
        self.json = json + [UInt8(ascii: "]")]
    }
}
