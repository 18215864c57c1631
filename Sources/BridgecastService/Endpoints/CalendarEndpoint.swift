// `/calendar/{bridge}.ics`: the hours in which a bridge stays down for small vessels, for calendars to subscribe to.
internal import BridgecastAnswers
internal import BridgecastCore

enum CalendarEndpoint {
    static let all = [
        Endpoint.get("/calendar/{bridge}.ics", forms: [.calendar]) { try calendar($0) }
    ]

    /// Seconds that it may be kept: it changes once a day at most.
    private static let keptSeconds = 3600

    private static func calendar(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let bridge = try BridgeEndpoints.named(request.path.first ?? "")
        let calendar = ClosedWindowCalendar(of: bridge, at: request.now)
        return ServiceAnswer(
            .calendar, Array(calendar.text.utf8), keeping: .seconds(keptSeconds))
    }
}
