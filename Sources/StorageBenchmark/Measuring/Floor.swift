import BrowserSessions
import Foundation
import StorageEngines

/// What an operation is compared with.
enum FloorKind: String, Codable, CaseIterable {
    case append = "A"
    case overwrite = "O"
    case decode = "D"
    case read = "R"
    case store = "S"
    case list = "L"
    case copy = "C"
    case without = "W"

    var meaning: String {
        switch self {
        case .append: "append of the same bytes to a file, and one fdatasync"
        case .overwrite:
            "overwriting blocks that were written before with the same bytes, and one fdatasync"
        case .decode: "decoding as many tabs of a flat format from memory into the same values"
        case .read: "opening, reading and closing a file of the state's size"
        case .store: "the store alone restoring the same sessions, or saving the same changes"
        case .list: "restoring the same tabs without groups from another store"
        case .copy: "copying the files of the store; for a backup, with a sync of each"
        case .without: "the same without restore points"
        }
    }
}

/// The measurement of what the machine itself costs, without any store.
final class Floor {
    private let folder: String
    private let log: PosixFile
    private let block: PosixFile
    private var blockSize = 0
    private var blockOffset = 0
    private var flat = FlatTabs([])

    /// - Parameter folder: a folder on the disk of the store.
    init(_ folder: String) throws(StorageError) {
        self.folder = folder
        log = try PosixFile(
            opening: "\(folder)/floor-log", flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        block = try PosixFile(opening: "\(folder)/floor-block", flags: O_WRONLY | O_CREAT | O_TRUNC)
        try log.write([0])
        try log.syncData()
    }

    /// Performs floor A.
    func append(_ bytes: [UInt8]) throws(StorageError) {
        try log.write(bytes)
        try log.syncData()
    }

    /// Writes blocks that floor O can overwrite; not timed.
    func prepareOverwrite(of count: Int) throws(StorageError) {
        let wanted = max(1 << 20, count)
        guard blockSize < wanted else { return }
        try block.write([UInt8](repeating: 1, count: wanted - blockSize))
        try block.syncData()
        blockSize = wanted
    }

    /// Performs floor O: overwrites existing blocks, with one fdatasync.
    func overwrite(_ bytes: [UInt8]) throws(StorageError) {
        if blockOffset + bytes.count > blockSize { blockOffset = 0 }
        let written = bytes.withUnsafeBytes {
            pwrite(block.raw, $0.baseAddress, $0.count, off_t(blockOffset))
        }
        guard written == bytes.count else {
            throw StorageError.system("write", path: "\(folder)/floor-block")
        }
        blockOffset += bytes.count
        try block.syncData()
    }

    func prepareDecode(of tabs: [TabMetadata]) { flat = FlatTabs(tabs) }

    /// Performs floor D. Returns the number of tabs, so that nothing is optimized away.
    func decode() -> Int { flat.decoded().count }

    func prepareRead(of count: Int) throws(StorageError) {
        try FileSystem.replace("\(folder)/floor-blob", with: [UInt8](repeating: 7, count: count))
    }

    /// Performs floor R. Returns the number of bytes.
    func read() throws(StorageError) -> Int { try FileSystem.read("\(folder)/floor-blob").count }
}

extension SessionChanges {
    /// The bytes that any store has to write for these changes: keys and values, framed.
    var logicalBytes: Int {
        changes.reduce(0) { sum, change in
            switch change {
            case .put(.tab(let tab, _)): sum + tab.encoded().count + 52
            case .putState(let bytes, let key):
                sum + bytes.count + key.name.rawValue.utf8.count + 35
            case .put(.session(_, let attributes)): sum + 64 + attributes.approximateBytes
            case .put(.node(let node, _)): sum + node.encodedPayload().count + 52
            case .remove, .removeState: sum + 53
            }
        }
    }
}

extension SessionAttributes {
    fileprivate var approximateBytes: Int {
        title.utf8.count + 36
            + properties.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 6 }
    }
}
