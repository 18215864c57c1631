// Everything that can be set about `bridgecast serve`, with its usual values; ServeConfiguration fills it in.
import BridgecastFeeds
import BridgecastService

/// What is to be served, and how.
///
/// An empty text stands for nothing named.
struct ServePlan: Sendable {
    var settings = ServiceSettings()
    /// A day or a period of the records in place of live feeds.
    var replay = ""
    /// Seconds of a replay in a second.
    var speed = 1.0
    var records = ""
    var store = ""
    var noStore = false
    var model = ""
    var network = ""
    var noNetwork = false
    var skill = ""
    var page = ""
    var noPage = false
    var bridgesURL = CityBridgeFeed.cityURL
    var travelTimesURL = ""
    var travelTime: [String] = []
    var freeFlowMph = 40.0
    var trafficFile = ""
    var refresh = "live"
    /// A transit agency's timetable: a zip file or folder of GTFS.
    var transit = ""
    /// Realtime feeds: an address, a file or a folder of recorded messages each.
    var transitUpdates = ""
    var transitVehicles = ""
    var transitAlerts = ""
    /// Seconds from one asking of them to the next.
    var transitInterval = 30.0
    var adminTokenFile = ""
    var logLevel = "info"
    var logFile = ""

    /// The settings' port of administration; 0 for none.
    var adminPort: Int {
        get { settings.adminPort ?? 0 }
        set { settings.adminPort = newValue == 0 ? nil : newValue }
    }

    /// The settings' field of a proxy; empty for none.
    var trustedHeader: String {
        get { settings.trustedHeader ?? "" }
        set { settings.trustedHeader = newValue.isEmpty ? nil : newValue }
    }
}
