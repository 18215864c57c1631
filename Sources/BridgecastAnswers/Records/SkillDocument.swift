// The evaluation of the model in use, read from the file that `bridgecast evaluate --skill` writes; `/skill`.
private import BridgecastCore
package import BridgecastEngine
package import BridgecastSupport
package import Foundation

package struct SkillDocument: Sendable, JSONObjectAnswer {
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
        let evaluated = file.evaluatedModel
        let provenance = model.provenance
        if evaluated.name != model.name || evaluated.trainerCommit != provenance.commit
            || evaluated.seed != "\(provenance.seed)"
        {
            envelope.warnings.append(
                "another model was evaluated than the one in use: \(printable(evaluated.name, maxLength: 60))"
                    + ", trainer commit \(printable(String(evaluated.trainerCommit.prefix(12)), maxLength: 12))"
            )
        } else if evaluated.fittedBefore != TimeText.rfc3339(provenance.fittedBefore) {
            envelope.warnings.append(
                "what was evaluated is the model in use as fitted to records before "
                    + "\(printable(evaluated.fittedBefore, maxLength: 40)); the one in use saw later ones as well"
            )
        }
        if file.inSample {
            envelope.warnings.append(
                "the model was fitted to records of these days, so this is no test of it")
        }
        self.envelope = envelope
    }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.field("evaluation", json: evaluation)
    }
}
