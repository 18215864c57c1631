// The files of a feed in a zip file or a folder, also in a subfolder of either, and the
// recognition of other files that are given instead.
internal import BridgecastCore
internal import BridgecastSupport
internal import Foundation

struct FeedFiles {
    /// An index in the zip file, or a path.
    enum Location: Equatable {
        case entry(Int)
        case path(URL)
    }

    struct File: Equatable {
        var location: Location
        var bytes: Int?
        var isEncrypted = false
    }

    private(set) var notices = FeedNotices()
    /// By name without folders, in lower case.
    private(set) var files: [String: File] = [:]
    /// The size of the zip file; nil for a folder.
    let packedBytes: Int?
    private let zip: ZipFile?

    init(_ zip: ZipFile, bytes: Int, _ limits: FeedLimits) throws(TransitFeedError.Problem) {
        self.zip = zip
        packedBytes = bytes
        let entries = try zip.entries(max: limits.files).filter { !$0.isFolder }
        var names: [(name: String, file: File)] = []
        for entry in entries where isSafe(entry.name) {
            let file = File(
                location: .entry(entry.index), bytes: entry.bytes, isEncrypted: entry.isEncrypted)
            names.append((entry.name, file))
        }
        try choose(names)
    }

    init(folder: URL, _ limits: FeedLimits) throws(TransitFeedError.Problem) {
        zip = nil
        packedBytes = nil
        let root = folder.resolvingSymlinksInPath().path
        var names: [(name: String, file: File)] = []
        var others = OtherFiles()
        guard
            let walk = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: [.fileSizeKey, .isRegularFileKey],
                options: [])
        else { throw .unreadable("the folder cannot be listed") }
        for case let url as URL in walk {
            guard names.count < limits.files else {
                throw .notAFeed("a folder of more than \(limits.files) files")
            }
            if walk.level > 2 { walk.skipDescendants() }
            guard url.pathExtension.lowercased() == "txt" else {
                others.add(url)
                continue
            }
            let path = url.resolvingSymlinksInPath().path
            let name =
                path.hasPrefix(root + "/")
                ? String(path.dropFirst(root.count + 1)) : url.lastPathComponent
            let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
            names.append((name, File(location: .path(url), bytes: size)))
        }
        if names.isEmpty, others.count > 0 { throw .notAFeed(others.description) }
        try choose(names)
    }

    /// A file's bytes from its start; nil if the feed has no such file.
    func stream(_ name: String) throws(TransitFeedError.Problem) -> FeedStream? {
        guard let file = files[name] else { return nil }
        guard !file.isEncrypted else { throw .encrypted(name) }
        switch file.location {
        case .path(let url): return .file(try FeedStream.openFile(url))
        case .entry(let index):
            guard let zip else { return nil }
            return .zip(try zip.stream(index))
        }
    }

    /// Chooses the files of one folder: the outermost that has stops or stop times.
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
                    "'\(printable(name))' occurs twice; the last one is read")
            }
        }
        let feeds = folders.filter {
            $0.value["stops.txt"] != nil || $0.value["stop_times.txt"] != nil
        }.sorted { (Self.depth($0.key), $0.key) < (Self.depth($1.key), $1.key) }
        guard let (folder, chosen) = feeds.first else { throw Self.problem(of: folders) }
        files = chosen
        noteOthers(chosen: folder, count: feeds.count)
    }

    private mutating func noteOthers(chosen folder: String, count feeds: Int) {
        if !folder.isEmpty {
            notices.add(
                .warning, "invalid_input_files_in_subfolder",
                "the files are in the folder '\(printable(folder))' and are read from there")
        }
        if feeds > 1 {
            notices.add(
                .warning, "several_feeds",
                "\(feeds) folders contain feeds; only the one in '\(printable(folder))' is read")
        }
        for name in files.keys.sorted()
        where name.hasSuffix(".txt") && !FeedFileNames.all.contains(name) {
            notices.add(
                .info, "unknown_file", "'\(printable(name))' is not a GTFS file; it is not read")
        }
    }

    private static func depth(_ folder: String) -> Int {
        folder.isEmpty ? 0 : folder.split(separator: "/").count
    }

    private static func problem(of folders: [String: [String: File]]) -> TransitFeedError.Problem {
        let names = folders.values.flatMap(\.keys)
        if names.contains(where: { $0.hasSuffix(".zip") }) {
            return .notAFeed("a zip file of zip files; unpack it and give one of those in it")
        }
        guard names.contains(where: { FeedFileNames.all.contains($0) }) else {
            return .notAFeed(
                names.isEmpty ? "it is empty" : "none of its \(names.count) files is a GTFS file")
        }
        return .missingFile("stops.txt")
    }

    /// Whether a name stays within the zip file; nothing is ever written, but such a file is not what it seems.
    private mutating func isSafe(_ name: String) -> Bool {
        let isSafe = !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
        if !isSafe {
            notices.add(
                .warning, "unsafe_file_name",
                "'\(printable(name))' leads out of the zip file; it is not read")
        }
        return isSafe
    }
}

/// Names of the GTFS schedule reference, and directions.txt, which many publishers add.
private enum FeedFileNames {
    static let all: Set<String> = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt",
        "calendar_dates.txt", "fare_attributes.txt", "fare_rules.txt", "timeframes.txt",
        "rider_categories.txt", "fare_media.txt", "fare_products.txt", "fare_leg_rules.txt",
        "fare_leg_join_rules.txt", "fare_transfer_rules.txt", "areas.txt", "stop_areas.txt",
        "networks.txt", "route_networks.txt", "shapes.txt", "frequencies.txt", "transfers.txt",
        "pathways.txt", "levels.txt", "location_groups.txt", "location_group_stops.txt",
        "booking_rules.txt", "translations.txt", "feed_info.txt", "attributions.txt",
        "directions.txt",
    ]
}

// MARK: - Other formats

/// Files of a folder that are no text files.
private struct OtherFiles: CustomStringConvertible {
    private(set) var count = 0
    private var first: [URL] = []

    /// Files that are looked at.
    private static let maxOpened = 20

    mutating func add(_ url: URL) {
        let values = try? url.resourceValues(forKeys: [.isRegularFileKey])
        guard values?.isRegularFile == true else { return }
        count += 1
        if first.count < Self.maxOpened { first.append(url) }
    }

    /// What a folder of nothing else holds.
    var description: String {
        let hasMessages = first.contains { url in
            var head: [UInt8] = []
            _ = try? LocalFile(url).append(FileFormat.headBytes, to: &head)
            return FileFormat.isRealtime(head)
        }
        guard hasMessages else { return "none of its \(count) files is a text file (.txt)" }
        return
            "\(count) files, realtime messages (GTFS-realtime) and no timetable; check one of them, "
            + "or give the folder with --updates, --vehicles or --alerts"
    }
}

/// Recognises by its first bytes what was given in place of a feed.
enum FileFormat {
    /// Whether a file begins as a zip file that is not empty.
    static func isZip(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4b, 3, 4]) }

    /// Bytes that say what a file is.
    static let headBytes = 512

    /// Whether a file begins as a realtime message.
    static func isRealtime(_ head: [UInt8]) -> Bool { realtimeVersion(head) != nil }

    /// Describes a file that is not a zip file, by its first bytes.
    static func description(of head: [UInt8]) -> String {
        if head.isEmpty { return "the file is empty" }
        for (start, description) in starts where head.starts(with: start) { return description }
        if let version = realtimeVersion(head) {
            return
                "GTFS-realtime \(version), not a timetable; it goes with --updates, --vehicles or --alerts"
        }
        let text = String(decoding: head.prefix(headBytes), as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(64).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            return "a web page, perhaps a server's error page; open it to see what it says"
        }
        if start.hasPrefix("<") { return "XML" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
        return head.contains(0) ? "not a zip file" : description(ofText: text)
    }

    private static func description(ofText text: String) -> String {
        let first = text.prefix { !$0.isNewline }
        return first.contains("stop_id") || first.contains("_id,")
            ? "one file of a feed; give its folder" : "a text file"
    }

    private static let starts: [([UInt8], String)] = [
        ([0x50, 0x4b, 5, 6], "an empty zip file"),
        ([0x1f, 0x8b], "compressed with gzip, not zip; unpack it first: gunzip, or tar xzf"),
        ([0x37, 0x7a, 0xbc, 0xaf], "compressed with 7-Zip; unpack it first: 7z x"),
        ([0x52, 0x61, 0x72, 0x21], "compressed with RAR; unpack it first: unrar x"),
        ([0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd; unpack it first: zstd -d"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "compressed with xz; unpack it first: xz -d"),
        ([0x42, 0x5a, 0x68], "compressed with bzip2; unpack it first: bzip2 -d"),
        (Array("SQLite format 3".utf8), "a database"), (Array("%PDF".utf8), "a PDF"),
    ]

    /// The version in a feed message's header: a message of the first field whose first field is a text such as 2.0.
    private static func realtimeVersion(_ head: [UInt8]) -> String? {
        guard head.count >= 7, head[0] == 0x0a, head[2] == 0x0a, head[3] == 3,
            head[5] == UInt8(ascii: ".")
        else { return nil }
        return String(decoding: head[4..<7], as: UTF8.self)
    }
}
