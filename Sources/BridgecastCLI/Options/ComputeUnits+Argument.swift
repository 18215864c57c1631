// `--compute-units` takes the engine's own names. Used by evaluate and bench.
public import ArgumentParser
public import BridgecastEngine

extension ComputeUnits: ExpressibleByArgument {}
