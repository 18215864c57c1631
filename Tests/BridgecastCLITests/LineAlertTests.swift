// Which of an agency's alerts rules about lines get.
import BridgecastAlerts
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import Testing

@testable import BridgecastServerCLI

@Suite struct LineAlertTests {
    private let now = Fixtures.timestamp("2026-02-20T18:00")

    private func alert(_ header: String, _ routes: String?...) -> ServiceAlert {
        var alert = ServiceAlert()
        alert.header = [
            ServiceAlert.Translation("Desvío", language: "es"),
            ServiceAlert.Translation(header, language: "en"),
        ]
        alert.description = [ServiceAlert.Translation("Stops are moved.", language: "en")]
        alert.url = [ServiceAlert.Translation("https://example.org/15", language: "en")]
        alert.informed = routes.map { route in
            var selector = ServiceAlert.Selector()
            selector.routeID = route
            selector.agencyID = "a"
            return selector
        }
        return alert
    }

    @Test func activeAlertsHaveTheNamesOfTheirLinesAndAnIdOfTheirContent() throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        var over = alert("Over", SmallTransit.route)
        over.activePeriods = [ServiceAlert.Period(start: nil, end: now)]
        let detour = alert("Detour", SmallTransit.route, SmallTransit.route)
        // One for a whole agency or for an unknown line is of no line.
        let all = [detour, over, alert("Agency", nil), alert("Unknown", "none")]
        let found = LineAlert.active(in: all, of: feed, at: now)
        #expect(found.map(\.lines) == [["15"]])
        #expect(found[0].header == "Detour" && found[0].text == "Stops are moved.")
        #expect(found[0].link == "https://example.org/15")
        var corrected = detour
        corrected.description = [ServiceAlert.Translation("Some stops are moved.", language: "en")]
        let again = LineAlert.active(in: [corrected], of: feed, at: now)
        #expect(again[0].id == found[0].id)
        var later = detour
        later.activePeriods = [ServiceAlert.Period(start: now, end: nil)]
        #expect(LineAlert.active(in: [later], of: feed, at: now)[0].id != found[0].id)
    }
}
