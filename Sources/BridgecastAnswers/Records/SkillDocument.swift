// The evaluation of the model in use, read from the file that `bridgecast evaluate --skill` writes; `/skill`.
private import BridgecastCore
package import BridgecastEngine
package import Foundation

/// How good the forecasts are.
package struct SkillDocument: Sendable, JSONAnswer {
    /// What the answer begins with; it warns if another model was evaluated.
    package let envelope: Envelope
    private let evaluation: [UInt8]

    private struct File: Decodable {
        struct Model: Decodable {
            let name: String
            let trainerCommit: String
            let seed: String
            let fittedBefore: String
        }
        let evaluatedModel: Model
        let inSample: Bool
    }

    /// Whether a file is one of skill.
    package static func isReadable(_ data: Data) -> Bool { file(data) != nil }

    private static func file(_ data: Data) -> File? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(File.self, from: data)
    }

    /// Reads a file; nil if it is none of skill.
    package init?(_ data: Data, _ envelope: Envelope, of model: ModelHeader) {
        guard let file = Self.file(data) else { return nil }
        evaluation = Array(data)
        var envelope = envelope
        let (evaluated, provenance) = (file.evaluatedModel, model.provenance)
        if evaluated.name != model.name || evaluated.trainerCommit != provenance.commit
            || evaluated.seed != "\(provenance.seed)"
        {
            envelope.warnings.append(
                "another model was evaluated than the one in use: \(printable(evaluated.name, most: 60))"
                    + ", trainer commit \(printable(String(evaluated.trainerCommit.prefix(12)), most: 12))"
            )
        } else if evaluated.fittedBefore != TimeText.rfc3339(provenance.fittedBefore) {
            envelope.warnings.append(
                "what was evaluated is the model in use as fitted to records before "
                    + "\(printable(evaluated.fittedBefore, most: 40)); the one in use saw later ones as well"
            )
        }
        if file.inSample {
            envelope.warnings.append(
                "the model was fitted to records of these days, so this is no test of it")
        }
        self.envelope = envelope
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            json.field("evaluation", json: evaluation)
        }
    }
}
