import BrowserSessions
import StorageEngines

/// An open store: metadata in memory, state blobs in the logs.
final class DirectoryStore: OrderedByteStore {
    let directory: any FileDirectory
    let settings: DirectorySettings
    private let random: @Sendable () -> UInt64
    /// Called before a file is made.
    let willChange: @Sendable () throws(StorageError) -> Void
    let openingNotes: [String]
    var content: Replay
    /// The log to which batches are appended; `nil` before the first.
    var current: OpenLog?
    /// The number of the newest log, or the one before the newest snapshot.
    var lastNumber: StoredNumber
    /// How many bytes of the previous log count, while nothing is appended to it.
    var endBefore: Int
    /// Records of that log after these bytes: another process wrote them and may not have synced
    /// them, so the next log begins with them.
    var inherited: [LogRecord]
    /// Whether that log has bytes that do not count. The next log says so; otherwise they are
    /// damage in a closed store.
    var hasDiscardedEnd: Bool
    /// Why nothing can be written any more.
    var failure: StorageError?
    /// Bytes in logs that the newest snapshot does not cover.
    var bytesSinceSnapshot: Int
    /// Whether closed logs had more garbage than live blobs at the last snapshot.
    var hasWastefulLogs = false
    var snapshotBytes: Int
    /// The value of ``bytesSinceSnapshot`` at which a save that could not do maintenance tries
    /// again.
    var triesAgainAt = 0
    /// Notices files that another program put in the place of ours.
    var names: NameWatch
    /// Open logs, for reading blobs.
    var readers: [Int: OpenLog] = [:]

    /// A log file with its descriptor.
    final class OpenLog {
        let number: Int
        let salt: UInt32
        let file: any OpenFile
        var end: Int
        /// How many bytes are durable.
        var durable = 0
        /// Whether appending has ended: after its end are bytes that do not count.
        var isLeft = false

        init(_ number: Int, salt: UInt32 = 0, in directory: any FileDirectory, _ mode: FileMode)
            throws(StorageError)
        {
            self.number = number
            self.salt = salt
            file = try directory.open(Replay.name(number, .log), mode: mode)
            end = 0
        }
    }

    /// Returns a number that distinguishes the records of one file from those of another.
    func makeSalt() -> UInt32 { UInt32(truncatingIfNeeded: random()) }

    init(_ request: OpenRequest, _ replay: Replay, _ settings: DirectorySettings) {
        directory = request.directory
        names = NameWatch(request.directory)
        random = request.environment.random
        willChange = request.willChange
        self.settings = settings
        content = replay
        openingNotes = replay.notes
        lastNumber = replay.lastNumber
        endBefore = replay.durableEnd
        inherited = replay.inherited
        hasDiscardedEnd = replay.hasDiscardedEnd
        bytesSinceSnapshot = replay.logBytes
        snapshotBytes = replay.snapshotBytes
    }

    /// Returns the number of the next log.
    func nextNumber() throws(StorageError) -> Int {
        try lastNumber.next(of: "the newest file of '\(directory.path)'").index
    }

    // MARK: Reading

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        switch space {
        case .metadata: content.metadata[key]
        case .state: try content.blobs[key].map { try read($0) }
        }
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard space == .state else { return try content.metadata.scan(prefix: prefix, visit) }
        for key in stateKeys(beginningWith: prefix) {
            guard let location = content.blobs[key] else { continue }
            let value = try read(location)
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }

    /// Reads no value from a file.
    func scanKeys(
        _ space: KeySpace, prefix: [UInt8], _ visit: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard space == .state else {
            return try content.metadata.scan(prefix: prefix) { key, _ in try visit(key) }
        }
        for key in stateKeys(beginningWith: prefix) { try key.withUnsafeBytes { try visit($0) } }
    }

    /// Returns the keys of the state space that begin with some bytes, ascending.
    private func stateKeys(beginningWith prefix: [UInt8]) -> [[UInt8]] {
        content.blobs.keys.filter { $0.starts(with: prefix) }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func read(_ location: BlobLocation) throws -> [UInt8] {
        // A log in which nothing but empty states is left goes.
        if location.length == 0 { return [] }
        let log = try reader(of: location.log)
        let bytes = try log.file.read(location.length, at: location.offset)
        guard bytes.count == location.length else {
            throw StorageError(
                .corrupted, "\(Replay.name(location.log, .log)) ends before a state that it holds")
        }
        return bytes
    }

    private func reader(of number: Int) throws(StorageError) -> OpenLog {
        if let current, current.number == number { return current }
        if let open = readers[number] { return open }
        do {
            let log = try OpenLog(number, in: directory, .read)
            readers[number] = log
            return log
        } catch {
            guard error.code == .notFound else { throw error }
            throw StorageError(.corrupted, "\(Replay.name(number, .log)) is missing")
        }
    }
}
