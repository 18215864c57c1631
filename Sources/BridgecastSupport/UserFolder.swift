// Where a user's own files are.
package import Foundation

/// A folder of the user's files, after the XDG Base Directory Specification 0.8.
package enum UserFolder: String, CaseIterable {
    /// What programs store.
    case data = "XDG_DATA_HOME"
    /// What the user writes.
    case configuration = "XDG_CONFIG_HOME"

    private var folderInHome: String {
        switch self {
        case .data: ".local/share"
        case .configuration: ".config"
        }
    }

    /// The location of one of Bridgecast's files, which need not exist.
    ///
    /// - Returns: Nil if the environment names neither an absolute folder nor such a HOME.
    package func url(of file: String, environment: [String: String]) -> URL? {
        func folder(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base = folder(rawValue) ?? folder("HOME").map { "\($0)/\(folderInHome)" }
        return base.map { URL(fileURLWithPath: $0).appendingPathComponent("bridgecast/\(file)") }
    }
}
