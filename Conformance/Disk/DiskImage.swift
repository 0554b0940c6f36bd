import BrowserSessions
import Foundation
import StorageEngines

/// The content of a medium.
struct DiskImage: Sendable {
    /// The directories, parents first.
    var directories: [String] = []
    var files: [(path: String, bytes: [UInt8])] = []
    /// Files with some writes that were not observed.
    var unfollowed: Set<String> = []

    /// A digest that is equal for equal images within a process.
    var digest: Int {
        var hasher = Hasher()
        for directory in directories { hasher.combine(directory) }
        for file in files {
            hasher.combine(file.path)
            file.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

    /// Replaces a sector with garbage.
    ///
    /// - Returns: `false` if the file has no such sector.
    mutating func destroy(_ sector: Int, of path: String) -> Bool {
        let start = sector * SimulatedFile.sectorSize
        guard start >= 0, let file = files.firstIndex(where: { $0.path == path }),
            start < files[file].bytes.count
        else { return false }
        for place in start..<min(start + SimulatedFile.sectorSize, files[file].bytes.count) {
            files[file].bytes[place] = UInt8(truncatingIfNeeded: place &* 167 &+ 41)
        }
        return true
    }

    /// Writes the image into a folder.
    func write(to folder: String) throws {
        for directory in directories { try FileSystem.makeDirectory("\(folder)/\(directory)") }
        for file in files {
            try LocationFiles.overwrite("\(folder)/\(file.path)", with: file.bytes)
        }
    }

    /// Returns a file below a folder that differs from the image, except files that were not
    /// followed; `nil` if there is none.
    ///
    /// - Parameter name: the part of the image to compare.
    func difference(from folder: String, _ name: String) throws -> String? {
        let found = try LocationFiles("\(folder)/\(name)")
        let own = files.filter { $0.path.hasPrefix("\(name)/") && !unfollowed.contains($0.path) }
        for file in own {
            let path = String(file.path.dropFirst(name.count + 1))
            guard let bytes = found.entries[path], bytes.equals(file.bytes) else { return path }
        }
        let known = Set(files.map(\.path))
        return found.entries.keys.sorted()
            .first { !$0.hasSuffix("/") && !known.contains("\(name)/\($0)") }
    }

    /// Returns the file system's number for what is at a path.
    static func number(_ path: String) throws -> UInt64 {
        var status = stat()
        guard PathText.withCString(path, { lstat($0, &status) }) == 0 else {
            throw StorageError.system("look at", path: path)
        }
        return UInt64(status.st_ino)
    }
}
