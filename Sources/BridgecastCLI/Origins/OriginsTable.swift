// `bridgecast origins table`: all recipes of a folder side by side.
import ArgumentParser
import BridgecastTraining
import Foundation

struct OriginsTable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Shows the recipes of a folder side by side.",
        discussion: """
            A recipe is a folder with a file of scores for each origin. Figures are means over \
            origins; intervals come from days drawn anew within each origin, the same days for all \
            recipes. Other programs may write such files too.
            """)

    @Option(name: .long, help: "Folder of all recipes.")
    var folder: String

    @Option(name: .long, help: "Compare the others with this recipe.")
    var against: String?

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let table = try OriginTable(try scores(), against: against)
            switch format {
            case .table: try Console.print(OriginsText.text(table))
            case .json: try Console.print(try json(table))
            }
        }
    }

    private func scores() throws -> [OriginScores] {
        let root = URL(fileURLWithPath: folder)
        let recipes = try contents(of: root).filter(\.hasDirectoryPath)
        let files = try recipes.flatMap { recipe in
            try contents(of: recipe).filter { $0.pathExtension == "json" }
        }
        guard !files.isEmpty else {
            throw CommandFailure(
                .missingInput,
                "\(folder): there is no NAME/ORIGIN.json; `bridgecast origins run` writes them")
        }
        return try files.map { file in
            var scores = try OriginFolder.read(file.path)
            // What lies in a recipe's folder is the recipe's.
            scores.recipe = file.deletingLastPathComponent().lastPathComponent
            return scores
        }
    }

    private func contents(of folder: URL) throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.isDirectoryKey],
                options: .skipsHiddenFiles
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
        } catch {
            throw CommandFailure(
                .missingInput, "\(folder.path): cannot be read: \(systemReason(error))")
        }
    }
}
