// The configuration file of `serve`: JSON with a part for each section; unknown names are refused. Used by
// ServeConfiguration.
import BridgecastCLI
import BridgecastCore
import BridgecastService
import Configuration
import Foundation

/// A configuration file that has been read.
struct ServeFile {
    /// Where it lies.
    let path: String
    private let values: JSONSnapshot

    /// No honest file is longer.
    private static let mostBytes = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure``: missing input, or data that is no such file.
    init(_ path: String) throws {
        self.path = path
        let data = try Self.bytes(path)
        do {
            values = try JSONSnapshot(
                data: data.bytes, providerName: path, parsingOptions: .default)
        } catch {
            throw CommandFailure(
                .data, "\(path): it is no JSON object of the parts http and serve, each of settings"
            )
        }
        try checkNames(JSONSerialization.jsonObject(with: data))
    }

    private static func bytes(_ path: String) throws -> Data {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.missingInput, "\(path): there is no such file")
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(.io, "\(path): cannot be read")
        }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: mostBytes + 1) else {
            throw CommandFailure(.io, "\(path): cannot be read")
        }
        guard data.count <= mostBytes else {
            throw CommandFailure(.data, "\(path): more than \(mostBytes) bytes")
        }
        return data
    }

    private func checkNames(_ object: Any) throws {
        let sections = object as? [String: Any] ?? [:]
        for (section, value) in sections.sorted(by: { $0.key < $1.key }) {
            guard ServeKey.Section(rawValue: section) != nil, let part = value as? [String: Any]
            else {
                throw CommandFailure(
                    .data, "\(path): '\(printable(section))' is none of the parts http and serve")
            }
            for name in part.keys.sorted() {
                let place = "\(section).\(name)"
                let known = ServeKey.all.map(\.place)
                if let key = ServeKey.all.first(where: { $0.place == place }) {
                    // The library would look for settings in it, and there would be none.
                    guard part[name] is [String: Any] else { continue }
                    throw CommandFailure(.data, "\(path): \(place): it is not \(key.takes)")
                }
                throw CommandFailure(
                    .data,
                    "\(path): there is no setting '\(printable(place))'; is it "
                        + "\(NearNames.nearest(place, of: known, most: 1).joined())?")
            }
        }
    }

    /// A setting as it would be typed; nil if the file does not have it.
    ///
    /// - Throws: ``CommandFailure`` for what is neither a text, a number, a truth nor a list of texts.
    func text(_ key: ServeKey) throws -> String? {
        let types: [ConfigType] = key.isSwitch ? [.bool] : [.string, .int, .double, .stringArray]
        for type in types {
            guard let found = try? values.value(forKey: key.absolute, type: type) else { continue }
            switch found.value?.content {
            case .none: return nil
            case .string(let text): return text
            case .int(let number): return "\(number)"
            case .double(let number): return "\(number)"
            case .bool(let truth): return "\(truth)"
            case .stringArray(let texts): return texts.joined(separator: ",")
            default: continue
            }
        }
        throw CommandFailure(.data, "\(path): \(key.place): it is not \(key.takes)")
    }
}
