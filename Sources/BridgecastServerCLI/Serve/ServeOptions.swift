// The options of `serve`: one for each row of the table, which has their names and words.
import ArgumentParser

/// Options as they were typed.
struct ServeOptions: ParsableArguments {
    @Option(name: name("replay"), help: help("replay")) var replay: String?
    @Option(name: name("speed"), help: help("speed")) var speed: String?
    @Option(name: name("records"), help: help("records")) var records: String?
    @Option(name: name("store"), help: help("store")) var store: String?
    @Flag(name: name("no_store"), help: help("no_store")) var noStore = false
    @Option(name: name("model"), help: help("model")) var model: String?
    @Option(name: name("network"), help: help("network")) var network: String?
    @Flag(name: name("no_network"), help: help("no_network")) var noNetwork = false
    @Option(name: name("skill"), help: help("skill")) var skill: String?
    @Option(name: name("page"), help: help("page")) var page: String?
    @Flag(name: name("no_page"), help: help("no_page")) var noPage = false
    @Option(name: name("log_level"), help: help("log_level")) var logLevel: String?
    @Option(name: name("log_file"), help: help("log_file")) var logFile: String?
    @Option(name: name("bridges_url"), help: help("bridges_url")) var bridgesURL: String?
    @Option(name: name("travel_times_url"), help: help("travel_times_url")) var travelTimesURL:
        String?
    @Option(name: name("travel_time"), help: help("travel_time")) var travelTime: String?
    @Option(name: name("free_flow_mph"), help: help("free_flow_mph")) var freeFlowMph: String?
    @Option(name: name("traffic_file"), help: help("traffic_file")) var trafficFile: String?
    @Option(name: name("refresh"), help: help("refresh")) var refresh: String?
    @Option(name: name("transit"), help: help("transit")) var transit: String?
    @Option(name: name("transit_updates"), help: help("transit_updates")) var transitUpdates:
        String?
    @Option(name: name("transit_vehicles"), help: help("transit_vehicles")) var transitVehicles:
        String?
    @Option(name: name("transit_alerts"), help: help("transit_alerts")) var transitAlerts: String?
    @Option(name: name("transit_interval"), help: help("transit_interval")) var transitInterval:
        String?
    @Option(name: name("host"), help: help("host")) var host: String?
    @Option(name: name("port"), help: help("port")) var port: String?
    @Option(name: name("admin_port"), help: help("admin_port")) var adminPort: String?
    @Option(name: name("admin_token_file"), help: help("admin_token_file")) var adminTokenFile:
        String?
    @Option(name: name("trusted_header"), help: help("trusted_header")) var trustedHeader: String?
    @Option(name: name("trusted_proxies"), help: help("trusted_proxies")) var trustedProxies:
        String?
    @Option(name: name("most_body_bytes"), help: help("most_body_bytes")) var mostBodyBytes: String?
    @Option(name: name("most_bodies_bytes"), help: help("most_bodies_bytes"))
    var mostBodiesBytes: String?
    @Option(name: name("most_header_bytes"), help: help("most_header_bytes")) var mostHeaderBytes:
        String?
    @Option(name: name("most_url_bytes"), help: help("most_url_bytes")) var mostURLBytes: String?
    @Option(name: name("most_json_depth"), help: help("most_json_depth")) var mostJSONDepth: String?
    @Option(name: name("most_rows"), help: help("most_rows")) var mostRows: String?
    @Option(name: name("most_connections"), help: help("most_connections")) var mostConnections:
        String?
    @Option(name: name("most_connections_per_client"), help: help("most_connections_per_client"))
    var mostConnectionsPerClient: String?
    @Option(name: name("most_streams"), help: help("most_streams")) var mostStreams: String?
    @Option(name: name("most_streams_per_client"), help: help("most_streams_per_client"))
    var mostStreamsPerClient: String?
    @Option(name: name("requests_per_second"), help: help("requests_per_second"))
    var requestsPerSecond: String?
    @Option(name: name("request_burst"), help: help("request_burst")) var requestBurst: String?
    @Option(name: name("most_waiting"), help: help("most_waiting")) var mostWaiting: String?
    @Option(name: name("header_seconds"), help: help("header_seconds")) var headerSeconds: String?
    @Option(name: name("body_seconds"), help: help("body_seconds")) var bodySeconds: String?
    @Option(name: name("answer_seconds"), help: help("answer_seconds")) var answerSeconds: String?
    @Option(name: name("heartbeat_seconds"), help: help("heartbeat_seconds")) var heartbeatSeconds:
        String?
    @Option(name: name("shutdown_seconds"), help: help("shutdown_seconds")) var shutdownSeconds:
        String?

    /// What was typed, by the names of the table.
    ///
    /// The wrappers are looked at, so that an option cannot be declared and then be forgotten here.
    var given: [String: String] {
        var given: [String: String] = [:]
        for child in Mirror(reflecting: self).children {
            guard let name = child.label.map({ Self.tableName($0) }) else { continue }
            if let option = child.value as? Option<String?>, let text = option.wrappedValue {
                given[name] = text
            } else if let flag = child.value as? Flag<Bool>, flag.wrappedValue {
                given[name] = "true"
            }
        }
        return given
    }

    /// `_mostURLBytes` as `most_url_bytes`.
    private static func tableName(_ label: String) -> String {
        let letters = Array(label.drop { $0 == "_" })
        var name = ""
        for (place, letter) in letters.enumerated() {
            let isBeginning =
                place > 0 && letter.isUppercase
                && (letters[place - 1].isLowercase
                    || letters.indices.contains(place + 1) && letters[place + 1].isLowercase)
            name += (isBeginning ? "_" : "") + letter.lowercased()
        }
        return name
    }
}

/// The option's name of a row.
private func name(_ name: String) -> NameSpecification {
    .customLong(name.replacing("_", with: "-"))
}

/// The option's help of a row.
private func help(_ name: String) -> ArgumentHelp? {
    ServeKey.all.first { $0.name == name }?.help
}
