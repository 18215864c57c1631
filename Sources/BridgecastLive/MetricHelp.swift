// What each metric means, for those who read them on a dashboard; written by MetricsRegistry.

/// The words behind `# HELP`.
enum MetricHelp {
    /// What a metric means; nil for one that is not ours.
    static func text(of name: String) -> String? { all[name] }

    private static let all = [
        "bridgecast_batches_total": "Forecasts of all bridges.",
        "bridgecast_change_to_models_seconds": "From a change on the feed to its forecast.",
        "bridgecast_feed_age_seconds": "Age of the newest reading of a feed.",
        "bridgecast_feed_requests_total": "Requests to feeds by outcome.",
        "bridgecast_feed_retries_total": "Requests to feeds that were tried again.",
        "bridgecast_http_connections": "Connections that are open.",
        "bridgecast_http_event_streams": "Clients that listen to events.",
        "bridgecast_http_heavy_running": "Heavy requests that are being worked on.",
        "bridgecast_http_heavy_waiting": "Heavy requests that wait for their turn.",
        "bridgecast_http_refusals_total": "What was refused before a handler saw it, by reason.",
        "bridgecast_http_request_seconds": "From a request's head to its answer.",
        "bridgecast_http_requests_total": "Requests by endpoint and status.",
        "bridgecast_inference_batches_total": "Batches that the model ran.",
        "bridgecast_model_loaded_timestamp_seconds": "When the model in use was loaded.",
        "bridgecast_model_refusals_total": "Model files that were not taken over.",
        "bridgecast_model_refused": "1 while the model's file is not the model in use.",
        "bridgecast_model_reloads_total": "Model files taken over since the start.",
    ]
}
