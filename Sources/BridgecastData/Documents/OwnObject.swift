// Objects of our own JSON forms: their fields are known, and a name spelled wrong is a mistake that is told. Used by
// RoutesDocument and LiveDocument.
internal import BridgecastCore

/// An object of one of our own JSON forms; its coding keys are the names that may stand in it.
protocol OwnObject: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}
