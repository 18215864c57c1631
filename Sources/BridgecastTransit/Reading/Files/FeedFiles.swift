// Which files a feed has, in a zip file or a folder, also in a subfolder of either; used by FeedReader.
internal import BridgecastCore
internal import Foundation

/// The files of a feed by their names.
struct FeedFiles {
    /// A file that can be read.
    enum Place: Equatable {
        case entry(Int)
        case path(URL)
    }

    /// A file of the feed.
    struct File: Equatable {
        var place: Place
        /// What it says it holds.
        var bytes: Int?
        var isEncrypted = false
    }

    /// What was found about names.
    private(set) var notices = FeedNotices()
    /// By name without folders, in lower case.
    private(set) var files: [String: File] = [:]
    /// The size of the zip file; nil for a folder.
    let packedBytes: Int?
    private let zip: ZipFile?

    /// The files of a zip file.
    init(_ zip: ZipFile, bytes: Int, _ limits: FeedLimits) throws(TransitFeedError.Problem) {
        (self.zip, packedBytes) = (zip, bytes)
        let entries = try zip.entries(most: limits.files).filter { !$0.isFolder }
        var names: [(name: String, file: File)] = []
        for entry in entries where isSafe(entry.name) {
            names.append(
                (
                    entry.name,
                    File(
                        place: .entry(entry.place), bytes: entry.bytes,
                        isEncrypted: entry.isEncrypted)
                ))
        }
        try choose(names)
    }

    /// The files of a folder.
    init(folder: URL, _ limits: FeedLimits) throws(TransitFeedError.Problem) {
        (zip, packedBytes) = (nil, nil)
        let root = folder.resolvingSymlinksInPath().path
        var names: [(name: String, file: File)] = []
        guard
            let walk = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: [.fileSizeKey], options: [])
        else { throw .unreadable("the folder cannot be listed") }
        for case let url as URL in walk {
            guard names.count < limits.files else {
                throw .notAFeed("a folder of more than \(limits.files) files")
            }
            if walk.level > 2 { walk.skipDescendants() }
            guard url.pathExtension.lowercased() == "txt" else { continue }
            let path = url.resolvingSymlinksInPath().path
            let name =
                path.hasPrefix(root + "/")
                ? String(path.dropFirst(root.count + 1)) : url.lastPathComponent
            let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
            names.append((name, File(place: .path(url), bytes: size)))
        }
        try choose(names)
    }

    /// A file's bytes from its start; nil if the feed has no such file.
    func stream(_ name: String) throws(TransitFeedError.Problem) -> FeedStream? {
        guard let file = files[name] else { return nil }
        guard !file.isEncrypted else { throw .encrypted(name) }
        switch file.place {
        case .path(let url): return .file(try OpenFile(url))
        case .entry(let place):
            guard let zip else { return nil }
            return .zip(try zip.stream(place))
        }
    }

    /// Takes the files of one folder: the outermost that has stops and trips.
    private mutating func choose(
        _ names: [(name: String, file: File)]
    ) throws(TransitFeedError.Problem) {
        var folders: [String: [String: File]] = [:]
        for (path, file) in names {
            let parts = path.split(separator: "/")
            guard let name = parts.last?.lowercased(), parts.first != "__MACOSX" else { continue }
            let folder = parts.dropLast().joined(separator: "/")
            if folders[folder, default: [:]].updateValue(file, forKey: name) != nil {
                notices.add(
                    .warning, "duplicate_file",
                    "'\(printable(name))' is there twice; the last one is read")
            }
        }
        let feeds = folders.filter {
            $0.value["stops.txt"] != nil || $0.value["stop_times.txt"] != nil
        }
        .sorted { (Self.depth($0.key), $0.key) < (Self.depth($1.key), $1.key) }
        guard let (folder, chosen) = feeds.first else { throw Self.without(folders) }
        files = chosen
        noteOthers(folder, feeds.count)
    }

    private mutating func noteOthers(_ folder: String, _ feeds: Int) {
        if !folder.isEmpty {
            notices.add(
                .warning, "invalid_input_files_in_subfolder",
                "the files lie in the folder '\(printable(folder))'; they are read from there")
        }
        if feeds > 1 {
            notices.add(
                .warning, "several_feeds",
                "\(feeds) folders hold feeds; only that in '\(printable(folder))' is read")
        }
        for name in files.keys.sorted()
        where name.hasSuffix(".txt") && !FeedFileNames.all.contains(name) {
            notices.add(
                .info, "unknown_file", "'\(printable(name))' is no file of GTFS; it is not read")
        }
    }

    private static func depth(_ folder: String) -> Int {
        folder.isEmpty ? 0 : folder.split(separator: "/").count
    }

    /// Why nothing was chosen.
    private static func without(_ folders: [String: [String: File]]) -> TransitFeedError.Problem {
        let names = folders.values.flatMap(\.keys)
        if names.contains(where: { $0.hasSuffix(".zip") }) {
            return .notAFeed("a zip file of zip files; unpack it and give one of those in it")
        }
        guard names.contains(where: { FeedFileNames.all.contains($0) }) else {
            return .notAFeed(
                names.isEmpty
                    ? "nothing is in it" : "none of its \(names.count) files is one of GTFS")
        }
        return .missingFile("stops.txt")
    }

    /// Whether a name stays within the zip file; nothing is ever written, and still it is not what it seems.
    private mutating func isSafe(_ name: String) -> Bool {
        let isSafe = !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
        if !isSafe {
            notices.add(
                .warning, "unsafe_file_name",
                "'\(printable(name))' points out of the zip file; it is not read")
        }
        return isSafe
    }
}
