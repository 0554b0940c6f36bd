import BrowserSessions
import CDisk
import Foundation
import StorageEngines

/// What a process did to the files of a store, in the true order. See `CDisk.h`.
struct DiskTrace: Sendable {
    enum Action: Hashable, Sendable {
        case create(path: String, node: UInt64)
        case write(node: UInt64, offset: Int, bytes: ArraySlice<UInt8>)
        case truncate(node: UInt64, length: Int)
        /// The content of the file is not followed from now on.
        case stream(node: UInt64)
        case rename(path: String, to: String, node: UInt64)
        case link(path: String, as: String, node: UInt64)
        case unlink(path: String)
        case makeDirectory(path: String, node: UInt64)
        case removeDirectory(path: String)
        /// A sync; of content alone if `isOfData`, when names that reading does not need may wait.
        case sync(node: UInt64, isOfData: Bool, isDone: Bool)
        /// A sync of the pages of a range, as a descriptor that writes synchronously performs it.
        case syncRange(node: UInt64, range: Range<Int>)
        case syncDirectory(path: String, isDone: Bool)
        case syncAll
        case note(SaveNote)
    }

    /// The parent directory of the store's; the paths of actions are relative to it.
    private(set) var folder = ""
    private(set) var actions: [Action] = []
    /// Actions that cannot be followed, which void every conclusion from the trace.
    private(set) var escapes: Set<String> = []
    /// Files opened as streams of the C library, with writes that are not observed.
    private var streams: Set<UInt64> = []
    private let bytes: [UInt8]

    /// Reads a trace that a process wrote until its end, possibly a sudden one.
    init(reading bytes: [UInt8]) throws {
        self.bytes = bytes
        let size = MemoryLayout<disk_record>.size
        var offset = 0
        while offset + size <= bytes.count {
            let record = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: offset, as: disk_record.self)
            }
            let path = offset + size..<offset + size + Int(record.path_length)
            let other = path.upperBound..<path.upperBound + Int(record.other_length)
            let hasBytes = record.operation == DISK_WRITE.rawValue
            let end = other.upperBound + (hasBytes ? Int(record.length) : 0)
            guard end <= bytes.count else { break }
            try add(record, text(path), text(other), other.upperBound..<end)
            offset = end
        }
        guard !folder.isEmpty else { throw HarnessFault("the trace of the disk has no beginning") }
    }

    /// Begins to record what this process does to a path and below it.
    ///
    /// - Parameter file: the file of the record.
    static func begin(at path: String, to file: String) throws {
        let trace = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard trace >= 0 else { throw StorageError.system("make", path: file) }
        let error = disk_watch(path, trace)
        guard error == 0 else {
            throw HarnessFault("the files cannot be watched: \(String(cString: strerror(error)))")
        }
    }

    private func text(_ range: Range<Int>) -> String {
        PathText.text(Array(bytes[range]))
    }

    private func relative(_ path: String) -> String { String(path.dropFirst(folder.count + 1)) }

    private mutating func add(
        _ record: disk_record, _ path: String, _ other: String, _ written: Range<Int>
    ) throws {
        let node = record.node
        let isDone = record.error == 0
        switch disk_operation(rawValue: record.operation) {
        case DISK_WATCH: folder = other
        case DISK_CREATE:
            // The number of a removed file may be used again.
            streams.remove(node)
            actions.append(.create(path: relative(path), node: node))
        case DISK_WRITE:
            actions.append(.write(node: node, offset: Int(record.offset), bytes: bytes[written]))
        case DISK_TRUNCATE: actions.append(.truncate(node: node, length: Int(record.length)))
        case DISK_RENAME:
            actions.append(.rename(path: relative(path), to: relative(other), node: node))
        case DISK_LINK:
            actions.append(.link(path: relative(path), as: relative(other), node: node))
        case DISK_UNLINK: actions.append(.unlink(path: relative(path)))
        case DISK_MAKE_DIRECTORY: actions.append(.makeDirectory(path: relative(path), node: node))
        case DISK_REMOVE_DIRECTORY: actions.append(.removeDirectory(path: relative(path)))
        case DISK_SYNC:
            // A sync means that the content must last.
            if streams.contains(node) { escapes.insert("a stream of the C library that is synced") }
            actions.append(.sync(node: node, isOfData: record.offset == 1, isDone: isDone))
        case DISK_SYNC_RANGE:
            let start = Int(record.offset)
            actions.append(.syncRange(node: node, range: start..<start + Int(record.length)))
        case DISK_SYNC_DIRECTORY:
            actions.append(.syncDirectory(path: relative(path), isDone: isDone))
        case DISK_SYNC_ALL: if isDone { actions.append(.syncAll) }
        case DISK_NOTE: actions.append(.note(SaveNote(code: node)))
        case DISK_ESCAPE: escapes.insert(path)
        case DISK_STREAM:
            streams.insert(node)
            actions.append(.stream(node: node))
        default: throw HarnessFault("the trace of the disk has an unknown record")
        }
    }
}
