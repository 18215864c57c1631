// From which batch on OpenBLAS takes the place of our kernels: `bridgecast bench --tune` measures it, and
// CompiledNetwork goes by it.

/// What ``ComputeUnits/all`` stands for with one instruction set: our kernels, or OpenBLAS from some batch on.
public struct PathTable: Sendable, Equatable {
    /// The kernels it was measured with; for others it says nothing.
    public let instructionSet: InstructionSet
    /// The CPU it was measured on, for people: family and model.
    public let cpu: String
    /// What OpenBLAS ran on then, for people.
    public let openBLASCore: String
    /// For each number format of weights.
    public var int8: Crossover, fp16: Crossover, fp32: Crossover

    /// The smallest batches that OpenBLAS takes.
    public struct Crossover: Sendable, Equatable {
        /// In place of a batch: our kernels take all of them.
        public static let never = Int.max

        /// Rows of a batch that are written out.
        public var rows: Int
        /// Rows of a batch that are ``SparseRows``.
        public var lists: Int

        /// OpenBLAS from these batches on; by default from none.
        public init(rows: Int = never, lists: Int = never) {
            (self.rows, self.lists) = (rows, lists)
        }
    }

    /// Creates a table; formats that are not named run on our kernels.
    public init(
        _ instructionSet: InstructionSet, cpu: String = "", openBLASCore: String = "",
        int8: Crossover = Crossover(), fp16: Crossover = Crossover(),
        fp32: Crossover = Crossover()
    ) {
        self.instructionSet = instructionSet
        (self.cpu, self.openBLASCore) = (cpu, openBLASCore)
        (self.int8, self.fp16, self.fp32) = (int8, fp16, fp32)
    }

    /// The part for a number format.
    public subscript(format: WeightFormat) -> Crossover {
        get {
            switch format {
            case .int8: int8
            case .fp16: fp16
            case .fp32: fp32
            }
        }
        set {
            switch format {
            case .int8: int8 = newValue
            case .fp16: fp16 = newValue
            case .fp32: fp32 = newValue
            }
        }
    }
}

// MARK: Which one holds

extension PathTable {
    /// What holds for an instruction set unless told otherwise: the file that the environment names if it was
    /// measured with these kernels, else what is shipped.
    ///
    /// A file that cannot be read is ignored here; the command refuses it.
    public static func preferred(for instructionSet: InstructionSet) -> PathTable {
        guard let own = try? environment.get(), own.instructionSet == instructionSet else {
            return shipped(for: instructionSet)
        }
        return own
    }

    /// What is shipped for an instruction set.
    ///
    /// Made by `bridgecast bench --tune` on Zen 5 with `BRIDGECAST_ISA` and, where the kernels are those of
    /// older CPUs, what OpenBLAS takes there (`OPENBLAS_CORETYPE`: Haswell for avx2 and avxvnni, Nehalem for
    /// scalar). Nobody has measured neon; its kernels run at every batch.
    public static func shipped(for instructionSet: InstructionSet) -> PathTable {
        switch instructionSet {
        case .scalar:
            PathTable(
                .scalar, cpu: "family 26 model 2", openBLASCore: "Nehalem",
                int8: Crossover(rows: 2, lists: 16), fp16: Crossover(rows: 1, lists: 32),
                fp32: Crossover(rows: 2, lists: 32))
        case .neon: PathTable(.neon)
        case .avx2, .avxvnni:
            PathTable(instructionSet, cpu: "family 26 model 2", openBLASCore: "Haswell")
        case .avx512vnni:
            PathTable(.avx512vnni, cpu: "family 26 model 2", openBLASCore: "Cooperlake")
        }
    }
}

// MARK: As JSON

extension PathTable: Encodable {
    /// Writes every field; a batch that never comes is null.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(instructionSet.rawValue, forKey: .instructionSet)
        try fields.encode(cpu, forKey: .cpu)
        try fields.encode(openBLASCore, forKey: .openBLASCore)
        var formats = fields.nestedContainer(keyedBy: Field.self, forKey: .blasFrom)
        for (format, field) in [(int8, Field.int8), (fp16, .fp16), (fp32, .fp32)] {
            var batches = formats.nestedContainer(keyedBy: Field.self, forKey: field)
            try batches.encode(format.rows == Crossover.never ? nil : format.rows, forKey: .rows)
            try batches.encode(format.lists == Crossover.never ? nil : format.lists, forKey: .lists)
        }
    }

    private enum Field: String, CodingKey {
        case cpu, int8, fp16, fp32, rows, lists
        case instructionSet = "instruction_set", openBLASCore = "open_blas_core"
        case blasFrom = "blas_from"
    }
}
