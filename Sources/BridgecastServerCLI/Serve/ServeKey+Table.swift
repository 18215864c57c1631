// The table of everything that can be set about `serve`: options, environment, file and `--check` are made of it.
// Belongs here: `bridgecast serve`: its settings, where they come from, what it is put together from; not: the service
// itself (BridgecastService).
import BridgecastLive
import BridgecastService

extension ServeKey {
    /// All settings, in the order in which they are shown.
    static let all = served + feeds + transit + addresses + sizes + rates + times

    private static let served = [
        text(
            .serve, "replay",
            "Serve a period of the records: a day, or FROM/TO, each a day or a time (2026-02-20T15:30).",
            takes: "a day such as 2026-02-20, or FROM/TO", \.replay),
        number(
            .serve, "speed", "Seconds of a replay in a second.", in: 0.001...1e6, \.speed),
        text(
            .serve, "records",
            "Records to replay: a store, or a file of CSV or JSON. The shipped records if none are named.",
            takes: "a path", \.records),
        text(
            .serve, "store",
            "The history store that keeps what is seen. $XDG_DATA_HOME/bridgecast/history.sqlite if none is named; a replay keeps nothing unless one is.",
            takes: "a path", \.store),
        toggle(.serve, "no_store", "Keep nothing.", \.noStore),
        text(
            .serve, "model", "The model file. The shipped one if none is named.", takes: "a path",
            \.model),
        text(
            .serve, "network", "The roads (FILE.roads). Seattle's if none are named.",
            takes: "a path", \.network),
        toggle(
            .serve, "no_network", "Know no roads: only given candidates are ranked.", \.noNetwork),
        text(
            .serve, "skill", "What /skill answers: a file of `evaluate --skill`.", takes: "a path",
            \.skill),
        text(
            .serve, "page",
            "The folder of the page that / shows. The shipped one if none is named.",
            takes: "a path", \.page),
        toggle(.serve, "no_page", "Show no page; the API answers as always.", \.noPage),
        text(
            .serve, "log_level",
            "Least level of log lines: trace, debug, info, notice, warning, error, critical.",
            takes: "trace, debug, info, notice, warning, error or critical", \.logLevel
        ) { ["trace", "debug", "info", "notice", "warning", "error", "critical"].contains($0) },
        text(
            .serve, "log_file", "Append log lines to this file instead of standard error.",
            takes: "a path", \.logFile),
    ]

    private static let feeds = [
        text(
            .serve, "bridges_url", "Where the city publishes the bridges' states.",
            takes: "an address", \.bridgesURL),
        text(
            .serve, "travel_times_url",
            "WSDOT's travel times with their access code; in the environment or a file rather than here.",
            takes: "an address", isSecret: true, \.travelTimesURL),
        list(
            .serve, "travel_time", "Stretches of WSDOT's that lead to bridges: ID=BRIDGE,...",
            takes: "ID=BRIDGE,...", \.travelTime),
        number(
            .serve, "free_flow_mph", "Speed of free flow on those stretches, miles per hour.",
            in: 1...150, \.freeFlowMph),
        text(
            .serve, "traffic_file",
            "Measured traffic, a file that another program keeps up to date.", takes: "a path",
            \.trafficFile),
        text(
            .serve, "refresh", "live, manual, or every 1, 2, 5, 10 or 15 minutes.",
            takes: "live, manual, 1, 2, 5, 10 or 15", \.refresh
        ) { RefreshInterval($0) != nil },
    ]

    private static let transit = [
        text(
            .serve, "transit",
            "A transit agency's timetable: a zip file or folder of GTFS; taken over again when it changes.",
            takes: "a path", \.transit),
        realtime("transit_updates", "Its trip updates", \.transitUpdates),
        realtime("transit_vehicles", "Its vehicle positions", \.transitVehicles),
        realtime("transit_alerts", "Its service alerts", \.transitAlerts),
        number(
            .serve, "transit_interval", "Seconds from one asking of these feeds to the next.",
            in: 20...3600, \.transitInterval),
    ]

    /// A realtime feed; its address may hold a key.
    private static func realtime(
        _ name: String, _ words: String, _ path: any WritableKeyPath<ServePlan, String> & Sendable
    ) -> ServeKey {
        text(
            .serve, name,
            "\(words) (GTFS-realtime): an address, a file that is kept up to date, or a folder of recorded messages.",
            takes: "an address or a path", isSecret: true, path)
    }

    private static let addresses = [
        text(
            .http, "host", "The address to listen on; 0.0.0.0 for all.",
            takes: "an address or a name", \.settings.host),
        integer(
            .http, "port", "The port; 0 for one that is free.", in: 0...65_535, \.settings.port),
        integer(
            .http, "admin_port", "The port of the administration, on 127.0.0.1; 0 for none.",
            in: 0...65_535, \.adminPort),
        text(
            .http, "admin_token_file",
            "A file with what administrators send as a bearer token, 16 characters or more.",
            takes: "a path", \.adminTokenFile),
        text(
            .http, "trusted_header",
            "The field in which a proxy names its client, such as X-Forwarded-For.",
            takes: "a field's name", \.trustedHeader),
        list(
            .http, "trusted_proxies",
            "Proxies that are believed: addresses or networks, with commas.",
            takes: "addresses or networks such as 10.0.0.0/8, with commas",
            \.settings.trustedProxies),
    ]

    private static let sizes = [
        integer(
            .http, "most_body_bytes", "Bytes of a request's body.", in: 1024...(256 << 20),
            \.settings.mostBodyBytes),
        integer(
            .http, "most_bodies_bytes", "Bytes of all bodies that are held at once.",
            in: 1 << 20...(16 << 30), \.settings.mostBodiesBytes),
        integer(
            .http, "most_header_bytes", "Bytes of all fields of a request's head.",
            in: 1024...(1 << 20), \.settings.mostHeaderBytes),
        integer(
            .http, "most_url_bytes", "Bytes of a path with its query.", in: 256...(64 << 10),
            \.settings.mostURLBytes),
        integer(
            .http, "most_json_depth", "Containers in containers in a JSON body.", in: 4...512,
            \.settings.mostJSONDepth),
        integer(
            .http, "most_rows", "Candidates to rank, or rows to forecast, in one request.",
            in: 1...10_000, \.settings.mostRows),
    ]

    private static let rates = [
        integer(
            .http, "most_connections", "Connections in all.", in: 1...1_000_000,
            \.settings.mostConnections),
        integer(
            .http, "most_connections_per_client", "Connections of a client address.",
            in: 1...1_000_000, \.settings.mostConnectionsPerClient),
        integer(
            .http, "most_streams", "Streams of events in all.", in: 0...1_000_000,
            \.settings.mostStreams),
        integer(
            .http, "most_streams_per_client", "Streams of events of a client address.",
            in: 0...1_000_000, \.settings.mostStreamsPerClient),
        number(
            .http, "requests_per_second",
            "Requests of a client address in a second, in the long run; 0 for any number.",
            in: 0...1e6, \.settings.requestsPerSecond),
        number(
            .http, "request_burst", "Requests that a client that was silent may send at once.",
            in: 1...1e6, \.settings.requestBurst),
        integer(
            .http, "most_waiting", "Heavy requests that may wait for their turn.", in: 0...100_000,
            \.settings.mostWaiting),
    ]

    private static let times = [
        number(
            .http, "header_seconds", "Seconds to the end of a request's head.", in: 0.1...3600,
            \.settings.headerSeconds),
        number(
            .http, "body_seconds", "Seconds from a request's head to the end of its body.",
            in: 0.1...3600, \.settings.bodySeconds),
        number(
            .http, "answer_seconds", "Seconds in which a client must take some of what is sent.",
            in: 0.1...3600, \.settings.answerSeconds),
        number(
            .http, "heartbeat_seconds", "Seconds between signs of life on a stream of events.",
            in: 0.1...3600, \.settings.heartbeatSeconds),
        number(
            .http, "shutdown_seconds", "Seconds in which everything ends.", in: 0.1...3600,
            \.settings.shutdownSeconds),
    ]
}
