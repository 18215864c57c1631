// Settings that need or exclude each other; checked by ServeConfiguration.
import BridgecastCLI

enum ServeRelations {
    /// - Throws: ``CommandFailure`` that names both settings, each with its source.
    static func check(_ plan: ServePlan, _ sources: [String: String]) throws {
        func isSet(_ name: String) -> Bool { sources[name] != nil }
        func source(_ name: String) -> String { sources[name] ?? name }
        func exclude(_ first: String, _ second: String) throws {
            guard isSet(first), isSet(second) else { return }
            throw CommandFailure(
                .usage, "\(source(first)) and \(source(second)) contradict each other")
        }
        func need(_ first: String, _ second: String) throws {
            guard isSet(first), !isSet(second) else { return }
            let option = ServeKey.all.first { $0.name == second }?.option ?? second
            throw CommandFailure(.usage, "\(source(first)) needs \(option)")
        }
        if plan.noStore { try exclude("store", "no_store") }
        if plan.noNetwork { try exclude("network", "no_network") }
        if plan.noPage { try exclude("page", "no_page") }
        try exclude("replay", "bridges_url")
        try exclude("replay", "refresh")
        if !isSet("replay") {
            try need("speed", "replay")
            try need("records", "replay")
        }
        try need("travel_time", "travel_times_url")
        for feed in ["transit_updates", "transit_vehicles", "transit_alerts", "transit_interval"] {
            try need(feed, "transit")
        }
        try need("trusted_header", "trusted_proxies")
        try need("trusted_proxies", "trusted_header")
        try need("admin_token_file", "admin_port")
        if plan.adminPort != 0 { try need("admin_port", "admin_token_file") }
    }
}
