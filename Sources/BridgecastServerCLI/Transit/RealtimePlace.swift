// Where a realtime feed is: an address, a file, or a folder of recorded messages; used by the commands of transit.
import BridgecastCLI
import BridgecastCore
import BridgecastFeeds
import BridgecastTransit
import Foundation

/// A realtime feed that a user named.
struct RealtimePlace {
    /// What it goes by, such as `trip_updates`; a second one of its kind `trip_updates_2`.
    let id: String
    /// What it is about, as the user says.
    let kind: RealtimeKind
    /// An address or a path.
    let place: String
    /// The option that named it.
    let option: String

    /// The feeds of a kind.
    static func all(_ kind: RealtimeKind, _ places: [String], option: String) -> [RealtimePlace] {
        places.enumerated().map { number, place in
            let id = number == 0 ? kind.rawValue : "\(kind.rawValue)_\(number + 1)"
            return RealtimePlace(id: id, kind: kind, place: place, option: option)
        }
    }

    /// Whether it is an address rather than a path.
    var isAddress: Bool { place.contains("://") }

    /// Checks an address; paths are looked at by ``source(_:)``.
    ///
    /// - Throws: ``CommandFailure``
    func check() throws {
        if isAddress { try checkAddress(place, of: option) }
    }

    /// The source that is there.
    ///
    /// - Throws: ``CommandFailure`` if a path leads nowhere, or to nothing of the kind.
    func source(_ client: FeedClient?) throws -> any RealtimeSource {
        if let client, isAddress {
            return try RealtimeHTTPSource(id: id, url: place, client: client)
        }
        let url = URL(fileURLWithPath: place)
        guard let isFolder = url.isFolder else {
            throw CommandFailure(
                .missingInput, "\(option): \(printable(place)): there is no such file or folder")
        }
        guard isFolder else { return FileRealtimeSource(url, id: id) }
        let recording = try RealtimeRecording(url)
        remark(recording.notices.kept.map(\.description), on: place)
        guard let source = recording.source(kind, id: id) else {
            throw CommandFailure(
                .data, "\(option): \(printable(place)): no messages of that kind in it")
        }
        return source
    }

    /// The failure that an error of reading it stands for.
    func failure(_ error: any Failure) -> CommandFailure {
        let words = "\(error)"
        return CommandFailure(
            error.kind == .missing ? .missingInput : .data,
            words.contains(place) ? words : "\(place): \(words)")
    }
}

extension URL {
    /// Whether a path leads to a folder; nil if it leads nowhere.
    var isFolder: Bool? {
        // Links are followed; a path that leads nowhere has no values.
        try? resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]).isDirectory
    }
}
