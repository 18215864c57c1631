// Which files of the page's folder may be shown: found by walking it; used by PageShelf.
internal import Foundation

enum PageFolder {
    /// A page has no more files.
    static let mostFiles = 500
    /// Nor folders in each other.
    static let mostDepth = 6

    /// The files that may be shown, by their paths in the folder.
    ///
    /// Neither files whose names begin with a dot, nor links, nor kinds of files that no page has.
    /// - Throws: ``PageProblem`` if the folder cannot be read, or has too many.
    static func files(in folder: URL) throws(PageProblem) -> [String: URL] {
        // The folder itself may be a link; what is in it may not.
        let start = folder.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: start.path) else {
            throw .noIndex(folder.path)
        }
        var found: [String: URL] = [:]
        var waiting = [(url: start, prefix: "", depth: 0)]
        while let place = waiting.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.url.path)
            else { throw .unreadable(place.url.path) }
            for name in names where !name.hasPrefix(".") {
                let url = place.url.appendingPathComponent(name)
                // It does not follow links.
                let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
                switch type as? FileAttributeType {
                case .typeDirectory where place.depth < mostDepth:
                    waiting.append((url, place.prefix + name + "/", place.depth + 1))
                case .typeRegular where PageFile.contentType(of: name) != nil:
                    found[place.prefix + name] = url
                default: continue
                }
            }
            guard found.count <= mostFiles, waiting.count <= mostFiles else {
                throw .tooMuch(folder.path, mostFiles: mostFiles)
            }
        }
        return found
    }
}
