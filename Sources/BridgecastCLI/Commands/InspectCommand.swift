// `bridgecast inspect`: what is inside a model file.
import ArgumentParser
import BridgecastCore
import BridgecastEngine
import Foundation

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Checks a model file and prints what is inside.")

    @Argument(help: "Model file. Default: the shipped one.")
    var model: String?

    @Flag(name: .long, help: "List every network input.")
    var features = false

    @Option(name: .long, help: "Output: table or json (the header as stored).")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let model = try ModelLoading.load(self.model)
            switch format {
            case .json: try Console.print(try json(model.header, keys: .useDefaultKeys))
            case .table: try Console.print(text(model))
            }
        }
    }

    private func text(_ model: LoadedModel) -> String {
        let header = model.header
        let made = header.provenance
        var lines = [
            "\(header.name), weights \(header.weightFormat.rawValue)",
            "fitted to  \(TimeText.rfc3339(made.fittedFrom)) .. \(TimeText.rfc3339(made.fittedBefore))",
            "seed       \(made.seed), trainer commit \(made.commit)",
            "inputs     \(header.features.count), schema \(header.schemaHash)",
            "bins       none, then up to "
                + (DelayBins.edgesMinutes.dropFirst().map { fixed($0, 0) } + ["more"])
                .joined(separator: ", ") + " min",
            "bridges    \(header.bridges.map(\.name).joined(separator: ", "))",
        ]
        for source in made.sources {
            lines.append("records    \(source.file) sha256 \(source.sha256)")
        }
        for (name, value) in made.settings.sorted(by: { $0.key < $1.key }) {
            lines.append("setting    \(name) = \(value)")
        }
        for (name, value) in made.scores.sorted(by: { $0.key < $1.key }) {
            lines.append("score      \(name) = \(fixed(value, 5))")
        }
        lines.append("\nlayers\n" + layers(header))
        lines.append("\ntensors\n" + tensors(header))
        if features { lines.append("\ninputs\n" + inputs(model)) }
        return lines.joined(separator: "\n")
    }

    private func layers(_ header: ModelHeader) -> String {
        var table = TextTable(
            ["layer", "inputs", "outputs", "activation", "input step", "zero"],
            [.right, .right, .right, .left, .right, .right])
        for (index, layer) in header.layers.enumerated() {
            table.add([
                "\(index)", "\(layer.inputs)", "\(layer.outputs)", layer.relu ? "ReLU" : "logits",
                layer.inputScale.map { fixed(Double($0), 6) } ?? "-",
                layer.inputZeroPoint.map { "\($0)" } ?? "-",
            ])
        }
        return table.text(indent: "  ")
    }

    private func tensors(_ header: ModelHeader) -> String {
        var table = TextTable(
            ["tensor", "format", "shape", "offset", "bytes"], [.left, .left, .left, .right, .right])
        for tensor in header.tensors {
            table.add([
                tensor.name, tensor.dtype, tensor.shape.map(String.init).joined(separator: " x "),
                "\(tensor.offset)", "\(tensor.byteCount)",
            ])
        }
        return table.text(indent: "  ")
    }

    private func inputs(_ model: LoadedModel) -> String {
        var table = TextTable(
            ["#", "input", "unit", "range", "mean"], [.right, .left, .left, .left, .right])
        for (index, feature) in model.header.features.enumerated() {
            table.add([
                "\(index)", feature.name, feature.unit,
                "\(fixed(Double(feature.low), 0)) .. \(fixed(Double(feature.high), 0))",
                fixed(Double(model.network.normalisation.mean[index]), 4),
            ])
        }
        return table.text(indent: "  ")
    }
}
