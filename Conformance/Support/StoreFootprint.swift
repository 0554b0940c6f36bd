import BrowserSessions
import LocalFiles
import StorageEngines

/// All files of a store, for checking whether a call changed any and how much space they take.
struct StoreFootprint: Equatable, Sendable {
    /// The length and checksum of each file, by path below the location. Directories end with a
    /// slash.
    private(set) var entries: [String: Entry] = [:]

    struct Entry: Equatable, Sendable {
        var bytes: Int
        var checksum: UInt32
    }

    /// Reads nothing if the store is not files at its location.
    init(_ location: String) throws { if try FileSystem.exists(location) { try add(location, "") } }

    var fileCount: Int { entries.keys.count { !$0.hasSuffix("/") } }
    var bytes: Int { entries.values.reduce(0) { $0 + $1.bytes } }

    /// Returns the paths of differences in ascending order, without content.
    func differences(from other: StoreFootprint) -> [String] {
        Set(entries.keys).union(other.entries.keys)
            .filter { entries[$0] != other.entries[$0] }.sorted()
    }

    private mutating func add(_ directory: String, _ prefix: String) throws {
        for name in try FileSystem.contents(of: directory) {
            let path = "\(directory)/\(name)"
            switch try FileSystem.status(path)?.kind {
            case .directory:
                entries["\(prefix)\(name)/"] = Entry(bytes: 0, checksum: 0)
                try add(path, "\(prefix)\(name)/")
            case .file:
                let content = try FileSystem.read(path)
                entries["\(prefix)\(name)"] = Entry(
                    bytes: content.count, checksum: CRC32C.checksum(content))
            default: continue
            }
        }
    }
}
