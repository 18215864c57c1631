// How many stops a service leaves out, as its names say.

/// How many stops a service leaves out, by which trains and buses of one line differ.
public enum ServiceClass: String, Sendable, CaseIterable {
    /// It calls at all stops.
    case local
    /// It leaves some out.
    case limited
    /// It leaves out all but a few.
    case express

    /// The class that names state, the first name that states one deciding; nil if none does.
    ///
    /// A name states it by a word of its own, in any case: Caltrain's `Local`, `Limited` and `Baby Bullet`, Sound Transit's
    /// `541 EXPRESS`.
    public init?(statedBy names: String...) {
        for name in names {
            for word in name.lowercased().split(whereSeparator: { !$0.isLetter }) {
                guard let found = Self.byWord[String(word)] else { continue }
                self = found
                return
            }
        }
        return nil
    }

    private static let byWord: [String: ServiceClass] = [
        "local": .local, "limited": .limited, "express": .express, "bullet": .express,
    ]

    /// The name of the colour it is shown in.
    public var colourName: String {
        switch self {
        case .local: "grey"
        case .limited: "blue"
        case .express: "red"
        }
    }
}

extension TransitRoute {
    /// What its names state; nil if nothing.
    public var serviceClass: ServiceClass? { ServiceClass(statedBy: shortName, longName) }

    /// What the name of one of its trips states, or its own names, or the trip's headsign; nil if nothing.
    public func serviceClass(ofTrip name: String, to headsign: String) -> ServiceClass? {
        ServiceClass(statedBy: name, shortName, longName, headsign)
    }
}
