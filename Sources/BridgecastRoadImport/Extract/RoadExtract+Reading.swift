// Extracts from files and from bytes: unpacked if need be, told apart by their content, read.
public import Foundation
private import BridgecastUnpacking

extension RoadExtract {
    /// Reads a file: Overpass's JSON, OpenStreetMap's XML or PBF, each also packed by gzip.
    ///
    /// What it is, its content says. All of it is held in memory while it is read.
    ///
    /// - Throws: ``RoadExtractError`` with the place and what to do.
    public static func read(_ url: URL) throws(RoadExtractError) -> RoadExtract {
        do throws(RoadExtractDefect) {
            let limits = ReadingLimits()
            let bytes = try ExtractFile.bytes(of: url, most: limits.fileBytes)
            return try RoadExtract(bytes, url.lastPathComponent, limits)
        } catch {
            throw RoadExtractError(error, file: url.relativePath)
        }
    }

    /// Reads an extract that is in memory, as ``read(_:)`` does.
    ///
    /// - Parameter name: What to call it.
    /// - Throws: ``RoadExtractError`` with the place and what to do.
    public init(bytes: [UInt8], name: String) throws(RoadExtractError) {
        try self.init(bytes: bytes, name: name, limits: ReadingLimits())
    }

    /// Reads an extract that is in memory, up to limits.
    init(bytes: [UInt8], name: String, limits: ReadingLimits) throws(RoadExtractError) {
        do throws(RoadExtractDefect) {
            try self.init(bytes, name, limits)
        } catch {
            throw RoadExtractError(error, file: name)
        }
    }

    private init(
        _ bytes: [UInt8], _ name: String, _ limits: ReadingLimits
    ) throws(RoadExtractDefect) {
        guard bytes.count <= limits.fileBytes else {
            throw RoadExtractDefect(.tooLarge(bytes: bytes.count, most: limits.fileBytes))
        }
        guard !bytes.isEmpty else { throw RoadExtractDefect(.empty) }
        let content = try Self.unpacked(bytes, limits)
        let builder =
            switch try ExtractForm(of: content) {
            case .json: try OverpassReader.read(content, limits)
            case .xml: try OSMXMLReader.read(content, limits)
            case .pbf: try PBFReader.read(content, fileBytes: bytes.count, limits)
            }
        self.init(builder, source: name)
    }

    /// What a file holds, if it is packed by gzip; else the file.
    private static func unpacked(
        _ bytes: [UInt8], _ limits: ReadingLimits
    ) throws(RoadExtractDefect) -> [UInt8] {
        guard bytes.starts(with: ExtractForm.gzipMark) else { return bytes }
        let most = limits.mostUnpacked(from: bytes.count)
        do throws(Unpacking.Stop) {
            let content = try Unpacking.gzip(bytes, most: most)
            return content
        } catch {
            switch error {
            case .cutShort: throw RoadExtractDefect(.cutShort, byte: bytes.count)
            case .tooMuch: throw RoadExtractDefect(limits.unpacksTooMuch(from: bytes.count))
            case .damaged(let words, let place):
                throw RoadExtractDefect(.damagedPacking(words), byte: place)
            }
        }
    }
}

extension RoadExtractError {
    /// A reader's refusal of a file.
    init(_ defect: RoadExtractDefect, file: String) {
        (self.file, place, problem) = (file, defect.place, defect.problem)
    }
}
