// Where the page that `serve` shows lies: a named folder, the checkout's, or the one beside the program.
import BridgecastCLI
import BridgecastService
import Foundation

enum ServePage {
    /// The page's folder in a checkout.
    ///
    /// It goes before the copy that the build makes beside the program, so that what is edited shows at once.
    private static let inCheckout = "Sources/BridgecastService/Resources/page"
    /// What the package manager copies beside the program.
    private static let besideProgram = "bridgecast_BridgecastService.resources/page"

    /// The page of a plan; nil if none is to be shown, or none is there.
    ///
    /// - Throws: ``PageProblem`` for a folder that is no page.
    static func page(_ plan: ServePlan) throws -> PageShelf? {
        if plan.noPage { return nil }
        if !plan.page.isEmpty { return try PageShelf(URL(fileURLWithPath: plan.page)) }
        return try usualFolders().first { hasIndex($0) }.map { try PageShelf($0) }
    }

    private static func usualFolders() -> [URL] {
        var folders: [URL] = []
        if let home = ShippedFiles.home() {
            folders.append(home.appendingPathComponent(inCheckout))
        }
        if let program = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/exe")
        {
            let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
            folders.append(folder.appendingPathComponent(besideProgram))
        }
        return folders
    }

    private static func hasIndex(_ folder: URL) -> Bool {
        FileManager.default.fileExists(
            atPath: folder.appendingPathComponent(PageShelf.indexPath).path)
    }
}
