// What tells one state of a timetable's zip file or folder from another without reading it; used by TransitWatch.
internal import Foundation

/// A zip file, or the text files of a folder, as they lie there.
struct TransitFileIdentity: Equatable, Sendable {
    private let files: [String: FileIdentity]

    /// No feed has more files and folders.
    private static let mostFiles = 1000

    /// Looks at a file or folder; nil if there is none that can be looked at.
    init?(_ url: URL) {
        guard let own = FileIdentity(url.path) else { return nil }
        var files = ["": own]
        // A folder's own time does not change when a file in it, or in a folder of it, is written again.
        let walk = FileManager.default.enumerator(atPath: url.path)
        var seen = 0
        while let name = walk?.nextObject() as? String, seen < Self.mostFiles {
            seen += 1
            guard name.lowercased().hasSuffix(".txt") else { continue }
            files[name] = FileIdentity(url.appendingPathComponent(name).path)
        }
        self.files = files
    }
}
