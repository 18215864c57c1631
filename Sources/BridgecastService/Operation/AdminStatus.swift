// How the service stands, for its administrators; answered by AdminEndpoints.
package import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive

/// The document of `/admin/status`.
struct AdminStatus: JSONAnswer {
    private let state: ServiceState

    init(_ state: ServiceState) { self.state = state }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("ready", state.isReady)
            json.field("feed_paused", state.pause.isPaused)
            json.field("event_streams", state.events.listenerCount)
            json.field("model", state.parts.inference.model.header.name)
            json.field("model_file", state.models.status)
        }
    }
}

extension ModelStatus: JSONAnswer {
    /// Digest, times and counts; the refusal is null where the file in place is the one in use.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("sha256", digest)
            json.field("loaded_at", loadedAt)
            json.field("reloads", reloads)
            json.field("refusals", refusals)
            if let refusal {
                json.object("refusal") { json in
                    json.field("reason", refusal.reason)
                    json.field("at", refusal.at)
                }
            } else {
                json.null("refusal")
            }
        }
    }
}
