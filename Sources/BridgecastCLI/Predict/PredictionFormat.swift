// `--format` of `predict`.
import ArgumentParser
import BridgecastCore
import BridgecastData
import BridgecastEngine
import Foundation

/// `--format` of predictions.
enum PredictionFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv, geojson
}
