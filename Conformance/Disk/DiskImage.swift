import BrowserSessions
import Foundation

/// What lies on a medium.
struct DiskImage: Sendable {
    /// Parents first.
    var directories: [String] = []
    var files: [(path: String, bytes: [UInt8])] = []

    /// Equal for equal images, within a process.
    var digest: Int {
        var hasher = Hasher()
        for directory in directories { hasher.combine(directory) }
        for file in files {
            hasher.combine(file.path)
            file.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

    /// Writes it into a folder.
    func write(to folder: String) throws {
        for directory in directories { try FileSystem.makeDirectory("\(folder)/\(directory)") }
        for file in files {
            try LocationFiles.overwrite("\(folder)/\(file.path)", with: file.bytes)
        }
    }

    /// The number that the file system has given to what is at a path.
    static func number(_ path: String) throws -> UInt64 {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw FileSystem.error("look at", path) }
        return UInt64(status.st_ino)
    }
}
