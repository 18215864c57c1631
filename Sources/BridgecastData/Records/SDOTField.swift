// The columns of data set gm8h-9449 by name, in all the spellings of its exports; used by all that reads records.
private import BridgecastCore

/// The columns of data set gm8h-9449, and the two system fields that SODA adds on request.
enum SDOTField: Int, CaseIterable {
    case entitytype, entityname, entityid, opendatetime, closedatetime, minutesopen
    case latitude, longitude
    case rowID, updatedAt

    static let required: [SDOTField] = [.opendatetime, .closedatetime]

    /// The name in the data set.
    var name: String {
        switch self {
        case .entitytype: "entitytype"
        case .entityname: "entityname"
        case .entityid: "entityid"
        case .opendatetime: "opendatetime"
        case .closedatetime: "closedatetime"
        case .minutesopen: "minutesopen"
        case .latitude: "latitude"
        case .longitude: "longitude"
        case .rowID: ":id"
        case .updatedAt: ":updated_at"
        }
    }

    /// The column of a header, whatever its case, spaces and underscores.
    init?(header: String) {
        if let system = [Self.rowID, .updatedAt].first(where: { $0.name == header }) {
            self = system
            return
        }
        let letters = foldedName(header)
        guard let field = Self.allCases.first(where: { $0.name == letters }) else { return nil }
        self = field
    }
}
