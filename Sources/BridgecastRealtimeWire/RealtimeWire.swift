// The source of the generated code in this module, which tools/transit/make_realtime_wire makes. What messages mean is in
// BridgecastTransit.

/// The source of the generated code.
package enum RealtimeWire {
    /// The package whose description of the messages was used, with its version.
    package static let source = "gtfs-realtime-bindings 3.0.0"
}
