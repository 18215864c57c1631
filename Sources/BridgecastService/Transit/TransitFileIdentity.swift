// What tells one state of a timetable's zip file or folder from another without reading it; used by TransitWatch.
internal import Foundation

/// A zip file, or the text files of a folder, as they lie there.
struct TransitFileIdentity: Equatable, Sendable {
    private let files: [String: FileIdentity]

    /// No feed has more files that are read.
    private static let mostFiles = 256

    /// Looks at a file or folder; nil if there is none that can be looked at.
    init?(_ url: URL) {
        guard let own = FileIdentity(url.path) else { return nil }
        var files = ["": own]
        // A folder's own time does not change when a file in it is written again.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for name in names.filter({ $0.hasSuffix(".txt") }).sorted().prefix(Self.mostFiles) {
            files[name] = FileIdentity(url.appendingPathComponent(name).path)
        }
        self.files = files
    }
}
