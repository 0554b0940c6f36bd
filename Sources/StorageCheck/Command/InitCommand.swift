import ArgumentParser
import BrowserSessions
import CommandLineSupport
import Foundation

/// A command that writes the package of a new backend as a starting point for its author.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes the package of a new backend, ready to build, with all of it still red.",
        discussion: """
            The package depends on Browser Sessions by --package-path or --package-url; without \
            either, by the path of the clone that this tool was built in. A path is written \
            relative to the new folder; a URL means its branch main.
            """)

    @Argument(help: "The name of the module, such as MyBackend.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "The new folder; it must be empty or absent. (default: ./NAME)", valueName: "folder"))
    var path: String?

    @Option(help: ArgumentHelp("A clone of Browser Sessions.", valueName: "folder"))
    var packagePath: String?

    @Option(help: ArgumentHelp("A repository of Browser Sessions.", valueName: "url"))
    var packageURL: String?

    func run() throws {
        let here = FileManager.default.currentDirectoryPath
        let folder = Self.absolute(path ?? name, from: here)
        let package = NewPackage(
            names: try PackageNames(name), dependency: try dependency(here, folder))
        let files = try package.write(to: folder)
        try Console.result(
            """
            \(files.map { "\(folder)/\($0)\n" }.joined())
            Next: cd \(folder) && swift run \(package.names.program) --requirement SAVE-1
            All of it is red until the engine keeps something; README.md says where to begin.

            """)
    }

    private func dependency(_ here: String, _ folder: String) throws(ValidationError)
        -> PackageDependency
    {
        switch (packagePath, packageURL) {
        case (_?, _?):
            throw ValidationError("name --package-path or --package-url, not both")
        case (nil, let url?): return try PackageDependency(url: url)
        case (let path?, nil):
            return try PackageDependency(
                clone: Self.absolute(path, from: here), seenFrom: folder)
        case (nil, nil):
            guard let clone = PackageDependency.ownClone() else {
                throw ValidationError(
                    "this tool does not lie in a clone of Browser Sessions; name --package-path or"
                        + " --package-url")
            }
            return try PackageDependency(clone: clone, seenFrom: folder)
        }
    }

    /// Returns the path without `.` and `..`.
    private static func absolute(_ path: String, from folder: String) -> String {
        let path = URL(
            filePath: path, directoryHint: .isDirectory,
            relativeTo: URL(filePath: folder, directoryHint: .isDirectory)
        ).standardizedFileURL.path
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
