// All that can be wrong with an extract; each check of the readers has its case here, with the numbers it compared.

/// What is wrong with an extract.
public enum RoadExtractProblem: Error, Equatable {
    // The file.
    case noSuchFile
    /// An address that is no file's.
    case notLocal
    case folder
    /// A pipe, a device or a socket.
    case notRegular
    /// Reading failed, in the system's words.
    case unreadable(String)
    case empty
    case tooLarge(bytes: Int, most: Int)
    case unpackedTooLarge(most: Int)
    /// A file of so many bytes unpacks to more than any map does.
    case packedTooTightly(bytes: Int, most: Int)
    case tooMany(RoadElement.Kind, most: Int)
    /// Something else than an extract.
    case other(OtherContent)

    // All forms.
    /// The file ends before the extract does.
    case cutShort
    case damagedPacking(String)
    case missing(field: String)
    /// A field that is not what it should be.
    case wrong(field: String, wanted: String)
    case outOfRange(latitude: Double, longitude: Double)
    /// The server gave up while it wrote; its words.
    case incomplete(String)
    case notUTF8

    // Overpass JSON.
    /// `elements` holds something else than nodes, ways and relations.
    case elements
    case brokenJSON

    // OSM XML.
    case brokenXML(String)
    case encoding(String)
    case documentType
    case version(String)
    /// Elements of the past among those of today.
    case history

    // PBF.
    case blobHeaderTooLarge(bytes: Int, most: Int)
    case blobTooLarge(bytes: Int, most: Int)
    /// A blob packed in a way that is not read.
    case packedAs(String)
    case emptyBlob
    case blobSize(stated: Int, unpacked: Int)
    case needsFeature(String)
    case headerMissing
    /// A message that Protocol Buffers cannot decode, or that contradicts itself.
    case brokenMessage(String)
}
