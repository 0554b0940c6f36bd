import BrowserSessions
import CDisk
import Foundation
import StorageEngines

/// Everything below a location: the bytes of files by relative path. Directories end with a slash.
package struct LocationFiles: Equatable, Sendable {
    package private(set) var entries: [String: [UInt8]] = [:]

    package init(_ location: String) throws {
        if try FileSystem.exists(location) { try add(location, "") }
    }

    private mutating func add(_ path: String, _ prefix: String) throws {
        for name in try FileSystem.contents(of: path) {
            let file = "\(path)/\(name)"
            switch try FileSystem.status(file)?.kind {
            case .directory:
                entries["\(prefix)\(name)/"] = []
                try add(file, "\(prefix)\(name)/")
            case .file: entries["\(prefix)\(name)"] = try FileSystem.read(file)
            default: entries["\(prefix)\(name)"] = []
            }
        }
    }

    /// The paths of the files, in ascending order.
    package var files: [String] { entries.keys.filter { !$0.hasSuffix("/") }.sorted() }

    var bytes: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// Returns the paths of files that hold one of the byte strings, or have one in their names.
    package func paths(holding needles: [[UInt8]]) -> [String] {
        entries.filter { path, content in
            let name = [UInt8](path.utf8)
            return needles.contains { content.holds($0) || name.holds($0) }
        }.keys.sorted()
    }

    /// Returns what differs from another state of the location; `nil` if nothing does. A lock file
    /// may differ, because its content names the owner.
    package func difference(from other: LocationFiles) -> String? {
        for path in Set(entries.keys).union(other.entries.keys).sorted() where path != "lock" {
            guard let now = entries[path] else { return "'\(path)' is gone" }
            guard let before = other.entries[path] else { return "'\(path)' is new" }
            if !now.equals(before) { return "'\(path)' was changed" }
        }
        return nil
    }

    /// Throws a ``Violation`` unless what is at a location is the same, but for a lock file.
    func requireSame(at location: String, _ subject: String) throws {
        if let difference = try LocationFiles(location).difference(from: self) {
            throw Violation("\(subject): \(difference)")
        }
    }

    /// Flips one bit of these bytes wherever they are below the location. Returns `false` if they are
    /// nowhere, as in a store that compresses or encrypts them.
    static func flip(_ needle: [UInt8], below location: String) throws -> Bool {
        let files = try LocationFiles(location)
        let paths = files.paths(holding: [needle])
        for path in paths {
            var bytes = files.entries[path] ?? []
            for start in bytes.indices.dropLast(needle.count - 1)
            where bytes[start] == needle[0]
                && bytes[start..<start + needle.count].elementsEqual(needle)
            {
                bytes[start + 7] ^= 1 << 3
            }
            try overwrite("\(location)/\(path)", with: bytes)
        }
        return !paths.isEmpty
    }

    /// Writes a file over any existing one.
    package static func overwrite(_ path: String, with bytes: [UInt8], syncing: Bool = false) throws
    {
        try FileSystem.remove(path)
        let file = try PosixFile(opening: path, flags: O_WRONLY | O_CREAT | O_EXCL)
        try file.write(bytes)
        if syncing { try file.syncData() }
    }

    /// Replaces the content of a location with these files. Syncs no directory, for cases that do this
    /// many times.
    ///
    /// - Parameters:
    ///   - file: a file with different content.
    ///   - version: its bytes; `nil` to leave it out.
    ///   - syncsFiles: whether each file is synced.
    func write(
        to location: String, replacing file: String? = nil, with version: [UInt8]? = nil,
        syncingFiles syncsFiles: Bool = false
    ) throws {
        try FileSystem.remove(location)
        try FileSystem.makeDirectories(location)
        for (path, bytes) in entries.sorted(by: { $0.key < $1.key }) {
            if path.hasSuffix("/") {
                try FileSystem.makeDirectories("\(location)/\(path.dropLast())")
            } else if path != file {
                try Self.overwrite("\(location)/\(path)", with: bytes, syncing: syncsFiles)
            } else if let version {
                try Self.overwrite("\(location)/\(path)", with: version, syncing: syncsFiles)
            }
        }
    }

    /// Replaces the content of a location with that of another.
    package static func replace(_ location: String, withCopyOf other: String) throws {
        try FileSystem.remove(location)
        try FileSystem.copy(other, to: location)
    }
}

extension [UInt8] {
    /// Whether the bytes occur anywhere.
    func holds(_ wanted: [UInt8]) -> Bool {
        withUnsafeBytes { own in
            guard let start = own.baseAddress, !wanted.isEmpty else { return false }
            return memmem(start, own.count, wanted, wanted.count) != nil
        }
    }

    /// Does the same as `==`, which takes most of a case's time for megabytes without optimization.
    func equals(_ other: [UInt8]) -> Bool {
        count == other.count && equals(other, in: indices)
    }

    /// The same for a range of both.
    func equals(_ other: [UInt8], in range: Range<Int>) -> Bool {
        withUnsafeBytes { own in
            other.withUnsafeBytes { other in
                guard let own = own.baseAddress, let other = other.baseAddress else {
                    return true
                }
                return memcmp(own + range.lowerBound, other + range.lowerBound, range.count) == 0
            }
        }
    }
}
