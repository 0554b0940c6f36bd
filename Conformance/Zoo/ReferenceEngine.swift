import BrowserSessions
import Foundation
import StorageEngines

/// The simplest sound engine: one append-only, checksummed log that is read entirely at
/// opening. The faulty backends of the zoo build on it.
struct ReferenceEngine: SalvagingFileEngine {
    var name: String { "reference" }
    var formatVersion: Int { 1 }
    var abilities: EngineAbilities {
        EngineAbilities(durability: .powerLoss, limits: .none, findsDamage: true)
    }

    private let faults: ReferenceFaults

    init(_ faults: ReferenceFaults = []) { self.faults = faults }

    func recognizes(_ names: [String]) -> Bool { true }

    @Sendable static func open(_ configuration: StorageConfiguration) throws(StorageError)
        -> any SessionStorage
    {
        try OrderedSessionStorage(opening: configuration, engine: ReferenceEngine())
    }

    func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        try ReferenceStore(request.directory, wasClosed: request.wasClosed, faults: faults)
    }

    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        if faults.contains(.salvagesNothing) { return [] }
        let isWhole = !faults.contains(.salvagesLittle)
        let log = ReferenceLog(
            bytes: try ReferenceLog.read(ReferenceLog.file(in: directory.pathForLibraries)))
        for (number, (space, key, value)) in log.salvaged().enumerated()
        where isWhole || number % 10 == 9 {
            try key.withUnsafeBytes { key in
                try value.withUnsafeBytes { try visit(space, key, $0) }
            }
        }
        return ["\(log.soundBatches.count) batches of the log are sound"]
    }
}

/// A store of ``ReferenceEngine``.
final class ReferenceStore: OrderedByteStore {
    private let files: any FileDirectory
    /// The path of the directory, which is right even if the directory is moved.
    private let directory: String
    private var records: MemoryRecords = [:]
    private var file: OpenFile
    private(set) var openingNotes: [String] = []
    private let faults: ReferenceFaults
    private var names: NameWatch
    /// The length of the file, and the part of it that is certain.
    private var size = 0
    private var certainBytes = 0
    /// Whether a sync has failed since the file was rewritten. Its pages may be lost while they
    /// can still be read, and another sync would not write them.
    private var hasFailedSync = false

    /// Owns a file that cannot be copied.
    private final class OpenFile {
        let descriptor: PosixFile
        init(_ path: String) throws {
            descriptor = try PosixFile(opening: path, flags: O_RDWR | O_CREAT | O_APPEND)
        }
    }

    /// - Parameter wasClosed: whether the last process closed the log. If not, nothing that it
    ///   wrote is certain, and all of it is rewritten.
    init(_ files: any FileDirectory, wasClosed: Bool, faults: ReferenceFaults = []) throws {
        self.files = files
        let directory = files.pathForLibraries
        self.directory = directory
        self.faults = faults
        let path = ReferenceLog.file(in: directory)
        if faults.contains(.forgetsRemovals) { try Self.rollBack(directory) }
        let isNew = try !FileSystem.exists(path)
        if isNew, try !FileSystem.contents(of: directory).isEmpty {
            throw StorageError(.corrupted, "the log is missing")
        }
        let log = ReferenceLog(
            bytes: isNew ? [] : try Self.read(path, faults),
            isChecked: !faults.contains(.readsUnchecked))
        guard !log.isDamaged else {
            throw StorageError(.corrupted, "the log is damaged before its last batch")
        }
        // Nothing was being written when it was closed, so an unfinished end is damage.
        let isWhole = log.unfinishedBytes == 0
        guard isWhole || !(wasClosed || faults.contains(.wantsWholeBatches)) else {
            throw StorageError(.corrupted, "the last batch is not whole")
        }
        for batch in faults.contains(.readsOverGaps) ? log.soundBatches : log.batches {
            records.apply(batch)
        }
        let trusts = faults.contains(.believes)
        let isDoubtful = !wasClosed || faults.contains(.takesErrorsForNothing)
        if !isNew, log.isWorthRewriting(records) || (isDoubtful && !trusts) {
            try Self.rewrite(path, records, faults)
        }
        file = try OpenFile(path)
        if faults.contains(.beginsAnotherLog), wasClosed, !isNew {
            try FileSystem.move(path, to: ReferenceLog.older(path))
            file = try OpenFile(path)
            try FileSystem.syncDirectory(directory)
        }
        if !isWhole {
            openingNotes.append("\(log.unfinishedBytes) bytes of an unfinished batch were cut off")
            if faults.contains(.believes) {
                try file.descriptor.truncate(to: log.soundBytes)
            }
        }
        if isNew, !faults.contains(.syncsNoNames) { try FileSystem.syncDirectory(directory) }
        size = try file.descriptor.size()
        certainBytes = size
        names = NameWatch(files)
    }

    func requirePresence() throws {
        if let change = names.change(requiring: { $0 }) { throw change }
    }

    /// Returns the path of the rollback journal: while it exists, the log ends where it says.
    private static func journal(in directory: String) -> String { "\(directory)/journal" }

    private static func rollBack(_ directory: String) throws {
        let journal = journal(in: directory)
        guard try FileSystem.exists(journal) else { return }
        let text = String(decoding: try FileSystem.read(journal), as: UTF8.self)
        let log = try PosixFile(opening: ReferenceLog.file(in: directory), flags: O_RDWR)
        try log.truncate(to: Int(text) ?? 0)
        try log.syncData()
        try FileSystem.remove(journal)
        try FileSystem.syncDirectory(directory)
    }

    private static func read(_ path: String, _ faults: ReferenceFaults) throws -> [UInt8] {
        do {
            return try ReferenceLog.read(path)
        } catch {
            if faults.contains(.takesErrorsForNothing) { return [] }
            throw error
        }
    }

    private static func rewrite(
        _ path: String, _ records: MemoryRecords, _ faults: ReferenceFaults
    ) throws {
        let bytes = ReferenceLog.encode(records)
        if faults.contains(.recoversInPlace) {
            let descriptor = try PosixFile(opening: path, flags: O_WRONLY | O_TRUNC)
            try descriptor.write(bytes)
            try descriptor.syncData()
        } else if faults.contains(.namesFirst) {
            let descriptor = try PosixFile(
                opening: path + ".new", flags: O_WRONLY | O_CREAT | O_TRUNC)
            try FileSystem.move(path + ".new", to: path)
            try descriptor.write(bytes)
            try descriptor.syncData()
        } else if faults.contains(.writesAtomically) {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } else {
            try FileSystem.replace(path, with: bytes)
        }
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        records[space]?[key]
    }

    func scan(
        _ space: KeySpace, prefix: [UInt8],
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try records.scan(space, prefix: prefix, visit)
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        let frame = ReferenceLog.frame(batch.operations, certain: certainBytes)
        let journal = Self.journal(in: directory)
        if faults.contains(.forgetsRemovals), durably {
            try FileSystem.replace(journal, with: Array("\(size)".utf8))
        }
        if faults.contains(.writesOnce) {
            let raw = file.descriptor.raw
            _ = frame.withUnsafeBytes { pwrite(raw, $0.baseAddress, $0.count, off_t(size)) }
        } else {
            try file.descriptor.write(frame)
        }
        size += frame.count
        records.apply(batch.operations)
        guard durably else { return }
        do {
            try sync()
            if faults.contains(.forgetsRemovals) { try FileSystem.remove(journal) }
        } catch var error as StorageError {
            error.effect = .indeterminate
            throw error
        }
    }

    func sync() throws {
        if faults.contains(.syncsNothing) { return }
        if faults.contains(.believes), size == certainBytes { return }
        if hasFailedSync {
            let path = ReferenceLog.file(in: directory)
            try Self.rewrite(path, records, faults)
            file = try OpenFile(path)
            size = try file.descriptor.size()
            names.look()
        } else {
            hasFailedSync = true
            try file.descriptor.syncData()
        }
        hasFailedSync = false
        certainBytes = size
    }

    func verify() throws -> [String] {
        let log = ReferenceLog(bytes: try ReferenceLog.read(ReferenceLog.file(in: directory)))
        return log.isDamaged || log.unfinishedBytes > 0 ? ["the log is damaged"] : []
    }
    func close() throws { if hasFailedSync { try sync() } }
}

/// Faults of the reference engine.
struct ReferenceFaults: OptionSet, Sendable {
    let rawValue: Int
    init(rawValue: Int) { self.rawValue = rawValue }

    static let syncsNothing = Self(rawValue: 1)
    static let syncsNoNames = Self(rawValue: 2)
    /// Reads later batches across a gap.
    static let readsOverGaps = Self(rawValue: 4)
    /// Considers what it reads at an opening certain.
    static let believes = Self(rawValue: 8)
    /// Rewrites the only copy in place.
    static let recoversInPlace = Self(rawValue: 16)
    /// Does not check how much of a write was written.
    static let writesOnce = Self(rawValue: 64)
    /// Begins another file at an opening, and syncs only that one from then on.
    static let beginsAnotherLog = Self(rawValue: 32)
    static let takesErrorsForNothing = Self(rawValue: 128)
    /// Gives a file its final name before it has its contents.
    static let namesFirst = Self(rawValue: 256)
    /// Replaces files as Foundation does, without syncing a directory.
    static let writesAtomically = Self(rawValue: 512)
    /// Considers the unfinished batch that a kill leaves as damage.
    static let wantsWholeBatches = Self(rawValue: 1024)
    static let salvagesNothing = Self(rawValue: 2048)
    static let salvagesLittle = Self(rawValue: 4096)
    /// Ends a durable save by removing a rollback journal, as SQLite does with DELETE and FULL.
    static let forgetsRemovals = Self(rawValue: 8192)
    static let readsUnchecked = Self(rawValue: 16384)
}
