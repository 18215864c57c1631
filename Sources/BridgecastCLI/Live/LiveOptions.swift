// What `watch` and `replay` have in common: routes, model, view and log.
import ArgumentParser
import Bridgecast
import BridgecastData
import Foundation

/// What `watch` and `replay` have in common: routes, model, view and log.
package struct LiveOptions: ParsableArguments {
    @Option(name: .long, help: "Routes to rank, in any form that predict reads.")
    var routes: String?

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    @OptionGroup var view: ViewOptions
    @OptionGroup var logging: LogOptions

    /// Creates the usual options.
    package init() {}

    /// Loads model and routes and begins to log: all that does not depend on the feeds.
    ///
    /// - Parameter command: For the log.
    package func prepare(_ command: String) throws -> LiveSetting {
        let model = try ModelLoading.load(model)
        let candidates = try routes.map {
            try CandidateFile.read(URL(fileURLWithPath: $0), mode: .car)
        }
        remark(candidates?.notes ?? [])
        let (log, metrics) = try logging.begin(command, isBoard: view.chosen == .board)
        return LiveSetting(
            log: log, model: model, routes: candidates?.routes ?? [], view: view,
            logging: logging, metrics: metrics)
    }
}
