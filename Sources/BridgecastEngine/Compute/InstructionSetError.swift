// Why an instruction set that was asked for cannot be used.
public import BridgecastCore

/// `BRIDGECAST_ISA` names an instruction set that is unknown or that this CPU lacks.
public struct InstructionSetError: Failure, Equatable {
    /// What it names.
    public let name: String

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// What is wrong and what can be chosen.
    public var description: String {
        let choice = InstructionSet.available.map(\.rawValue).joined(separator: ", ")
        let known = InstructionSet(rawValue: name) == nil ? "is unknown" : "is not on this CPU"
        return "\(InstructionSet.environmentVariable)=\(name) \(known); choose from \(choice)"
    }
}
