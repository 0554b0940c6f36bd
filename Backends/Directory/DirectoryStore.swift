import BrowserSessions
import StorageEngines

/// An open store: metadata in memory, state blobs where they lie in the logs.
final class DirectoryStore: OrderedByteStore {
    let directory: any FileDirectory
    let segmentBytes: Int
    private let random: @Sendable () -> UInt64
    let openingNotes: [String]
    var content: Replay
    /// The log that batches are appended to; `nil` until the first.
    var current: OpenLog?
    /// The number of the newest log, or the one in front of the newest snapshot.
    var lastNumber: StoredNumber
    /// How many bytes of the log before that count, while nothing is appended to it.
    var endBefore: Int
    /// Records of that log behind these bytes, which another process wrote and nobody may have synced:
    /// the next log begins with them.
    var inherited: [LogRecord]
    /// That log has bytes that do not count. The next one says so; without it they are damage in a store
    /// that was closed.
    var hasDiscardedEnd: Bool
    var looks = PresenceLooks()
    /// Why nothing can be written any more.
    var failure: StorageError?
    /// Bytes in logs that the newest snapshot does not cover.
    var bytesSinceSnapshot: Int
    /// Whether closed logs hold more garbage than live blobs, as of the last snapshot.
    var hasWastefulLogs = false
    var snapshotBytes: Int
    /// Where a save that could not do maintenance itself tries again, in ``bytesSinceSnapshot``.
    var triesAgainAt = 0
    /// Logs that are open for reading blobs.
    var readers: [Int: OpenLog] = [:]

    /// A log file with its descriptor.
    final class OpenLog {
        let number: Int
        let salt: UInt32
        let file: any OpenFile
        var end: Int
        /// How many of the bytes are durable.
        var durable = 0
        /// Nothing is appended to it any more: behind its end are bytes that do not count.
        var isLeft = false

        init(_ number: Int, salt: UInt32 = 0, in directory: any FileDirectory, _ mode: FileMode)
            throws(StorageError)
        {
            self.number = number
            self.salt = salt
            file = try directory.open(Replay.name(number, .log), mode)
            end = 0
        }
    }

    /// What tells the records of one file from those of another.
    func makeSalt() -> UInt32 { UInt32(truncatingIfNeeded: random()) }

    init(_ request: OpenRequest, _ replay: Replay, segmentBytes: Int) {
        directory = request.directory
        random = request.environment.random
        self.segmentBytes = segmentBytes
        content = replay
        openingNotes = replay.notes
        lastNumber = replay.lastNumber
        endBefore = replay.durableEnd
        inherited = replay.inherited
        hasDiscardedEnd = replay.hasDiscardedEnd
        bytesSinceSnapshot = replay.logBytes
        snapshotBytes = replay.snapshotBytes
    }

    /// The number of the log to begin next.
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
        for (key, location) in content.blobs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }
        )
        where key.starts(with: prefix) {
            let value = try read(location)
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }

    private func read(_ location: BlobLocation) throws -> [UInt8] {
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
