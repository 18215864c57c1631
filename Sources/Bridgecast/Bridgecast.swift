// What a route service imports: the values, the engine and the observable models, re-exported.
@_exported public import BridgecastCore
@_exported public import BridgecastData
@_exported public import BridgecastEngine
@_exported public import BridgecastObservation
@_exported public import BridgecastRoads
@_exported public import BridgecastRouting
@_exported public import BridgecastSupport
