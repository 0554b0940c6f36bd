import ArgumentParser
import BrowserSessions
import Foundation
import StorageEngines

/// A package for a backend that is not yet written.
struct NewPackage {
    let names: PackageNames
    let dependency: PackageDependency

    /// The files, each with its path in the package.
    var files: [(path: String, text: String)] {
        let module = names.module
        return [
            (".github/workflows/ci.yml", workflow),
            (".gitignore", ".build\n.swiftpm\nPackage.resolved\n"),
            ("Makefile", makefile),
            ("Package.swift", manifest),
            ("README.md", readme),
            ("Sources/\(names.program)/Check.swift", program),
            ("Sources/\(module)/\(module).swift", backend),
            ("Sources/\(module)/\(names.type)Engine.swift", engine),
            ("Sources/\(module)/\(names.type)Store.swift", store),
            ("Tests/\(module)Tests/ConformanceTests.swift", test),
            ("Tests/\(module)Tests/Harness.swift", harness),
        ]
    }

    /// Writes all files into a folder that is empty or absent. Returns their paths in the folder.
    func write(to folder: String) throws -> [String] {
        if let status = try FileSystem.status(folder) {
            guard status.kind == .directory else {
                throw ValidationError("'\(folder)' is there and is no folder; nothing was written")
            }
            guard try FileSystem.contents(of: folder).isEmpty else {
                throw ValidationError("'\(folder)' is not empty; nothing was written")
            }
        }
        for (path, text) in files {
            let file = "\(folder)/\(path)"
            do {
                // Others may read sources, so this does not use the permissions of stores.
                try FileManager.default.createDirectory(
                    atPath: FileSystem.parent(of: file), withIntermediateDirectories: true)
                try text.write(toFile: file, atomically: true, encoding: .utf8)
            } catch {
                throw StorageError(.failed, "'\(file)' cannot be written: \(error)")
            }
        }
        return files.map(\.path)
    }
}
