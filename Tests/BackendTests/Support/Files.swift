import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

/// Everything below a directory: bytes by relative path; directories end with a slash.
struct Tree: Equatable {
    private(set) var entries: [String: [UInt8]] = [:]

    init(_ path: String) throws { try add(path, "") }

    private mutating func add(_ path: String, _ prefix: String) throws {
        for name in try FileSystem.contents(of: path) {
            let file = "\(path)/\(name)"
            switch try FileSystem.status(file)?.kind {
            case .directory:
                entries["\(prefix)\(name)/"] = []
                try add(file, "\(prefix)\(name)/")
            case .file: entries["\(prefix)\(name)"] = try FileSystem.read(file)
            default: entries["\(prefix)\(name)"] = nil
            }
        }
    }

    /// Without a file that may differ.
    func without(_ name: String) -> Tree {
        var tree = self
        tree.entries[name] = nil
        return tree
    }

    /// Only what has paths that begin so.
    func only(_ prefix: String) -> Tree {
        var tree = self
        tree.entries = entries.filter { $0.key.hasPrefix(prefix) }
        return tree
    }

    /// The paths of the files that hold the bytes, or have them in their names.
    func files(holding bytes: [UInt8]) -> [String] {
        let wanted = Data(bytes)
        return entries.filter { path, content in
            Data(content).range(of: wanted) != nil || Data(path.utf8).range(of: wanted) != nil
        }.keys.sorted()
    }
}

extension FileSystem {
    /// The paths of all files below a directory, relative to it, ascending.
    static func files(below path: String) throws -> [String] {
        try Tree(path).entries.keys.filter { !$0.hasSuffix("/") }.sorted()
    }

    /// Writes a file whatever there is.
    static func overwrite(_ path: String, with bytes: [UInt8]) throws {
        try remove(path)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Inverts the first bytes of every file below a directory.
    static func invertFiles(below path: String, first count: Int = .max) throws {
        for file in try files(below: path) {
            var bytes = try read("\(path)/\(file)")
            for index in bytes.indices.prefix(count) { bytes[index] = ~bytes[index] }
            try replace("\(path)/\(file)", with: bytes)
        }
    }
}

/// Makes a symbolic link.
func link(_ target: String, at path: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
}

/// The content of a `store.json` of these formats.
func stampText(_ backend: String, _ format: Int, _ engineFormat: Int) -> [UInt8] {
    let maker = "browser-sessions"
    let sum = CRC32C.checksum([UInt8]("\(backend)/\(format)/\(engineFormat)/\(maker)".utf8))
    let text = """
        {
          "backend": "\(backend)",
          "format": \(format),
          "engineFormat": \(engineFormat),
          "createdBy": "\(maker)",
          "checksum": \(sum)
        }

        """
    return [UInt8](text.utf8)
}
