package import BrowserSessions

/// The space that the files of a store take. Nothing is opened, locked, or changed, so it can be asked
/// for while another process has the store open.
package struct StoreUse: Hashable, Sendable {
    /// The sizes of the files of each partition, in bytes.
    package private(set) var partitions: [StoragePartition: Int] = [:]
    /// The size of what was set aside, in bytes.
    package private(set) var quarantine = 0
    /// The size of the store's other files, in bytes.
    package private(set) var others = 0
    /// The free space of the file system, in bytes; `nil` if it does not say.
    package let free: Int?

    /// The size of all files of the store, in bytes.
    package var total: Int { partitions.values.reduce(0, +) + quarantine + others }

    /// Adds up the files of the store at a path; 0 if none is there. Files that are not the store's do
    /// not count.
    package init(at path: String) throws(StorageError) {
        let directory = try PosixDirectory(opening: path, followingLink: true)
        let free = directory.freeBytes
        self.free = free > 0 ? free : nil
        for name in try directory.names() {
            let bytes = try directory.bytes(of: name)
            if name == Quarantine.name {
                quarantine += bytes
            } else if StoreIdentity.fileNames.contains(name) {
                others += bytes
            } else if let partition = StoragePartition.allCases.first(
                where: { part in
                    let rest = name.dropFirst(part.rawValue.count)
                    return name.hasPrefix(part.rawValue) && [nil, ".", "-"].contains(rest.first)
                })
            {
                partitions[partition, default: 0] += bytes
            }
        }
    }
}

/// Damaged bytes that a store set aside.
package struct QuarantinedItem: Hashable, Sendable {
    /// The name in the quarantine, which begins with the time.
    package let name: String
    /// The path of the item's folder; in a store without files, the location and the name.
    package let path: String
    /// The size of its files or records, in bytes.
    package let bytes: Int
    /// The values of its records; `nil` if they are in the files at the path.
    package var records: [[UInt8]]?
    /// What its report says, line by line: the reason first, then the time.
    package let report: [String]
    /// The time until it is removed, by the store's own count of days; `nil` if the count has not begun.
    /// It goes earlier if there is too much in the quarantine.
    package let left: Duration?

    /// Returns what the store at a path set aside, oldest first; `[]` if there is nothing.
    package static func items(ofStoreAt path: String) throws(StorageError) -> [QuarantinedItem] {
        try items(in: PosixDirectory(opening: path, followingLink: true))
    }

    static func items(in root: any FileDirectory) throws(StorageError) -> [QuarantinedItem] {
        guard try root.has(Quarantine.name) else { return [] }
        let files = try root.directory(Quarantine.name)
        let quarantine = Quarantine(root: root, now: 0)
        let ages = quarantine.ages(in: files)
        var items: [QuarantinedItem] = []
        for path in try quarantine.items() {
            let name = PathText.names(of: path).last ?? path
            let report = (try? files.directory(name))?.report ?? []
            let left = ages.map { max(0, Quarantine.maximumAge - $0.age(of: name)) }
            items.append(
                QuarantinedItem(
                    name: name, path: path, bytes: try files.bytes(of: name), report: report,
                    left: left.map { .seconds($0) }))
        }
        return items
    }
}

extension FileDirectory {
    /// The lines of the report in an item's folder; `nil` if there is none that can be read.
    fileprivate var report: [String]? {
        guard let bytes = try? read("report.txt", ifAtMost: 1 << 20) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
