import BrowserSessions
import StorageEngines

/// Reads every sound record of damaged files, in the order of writing.
struct DirectorySalvage {
    private var content: Replay
    private var damages = 0
    private var logs: Set<Int> = []
    private var snapshots: Set<Int> = []

    init(_ directory: any FileDirectory) { content = Replay(directory) }

    mutating func run(_ visit: RecordVisitor) throws -> [String] {
        try content.findFiles()
        (logs, snapshots) = (Set(content.logs), Set(content.snapshots))
        for number in logs.union(snapshots).sorted() {
            if snapshots.contains(number) { try readSnapshot(number) }
            if logs.contains(number) { try readLog(number) }
        }
        try content.metadata.scan(prefix: []) { try visit(.metadata, $0, $1) }
        let lost = try visitStates(visit)
        var notes = ["\(damages) damaged places in \(content.logs.count) logs were passed over"]
        if damages > 0 { notes.append("damaged removals may have brought records back") }
        if lost > 0 { notes.append("\(lost) states lie in logs that cannot be read") }
        return notes
    }

    /// A sound snapshot replaces what came before; the sound records of a damaged one are added.
    private mutating func readSnapshot(_ number: Int) throws {
        let source = try content.source(number, .snapshot)
        if try isWhole(source, number) {
            content.forgetEverything()
            _ = try content.applySnapshot(source, number)
        } else {
            try readSoundRecords(source, number)
        }
    }

    /// Returns whether a snapshot is complete and sound.
    private func isWhole(_ source: LogSource, _ number: Int) throws -> Bool {
        var trial = Replay(content.directory)
        return try trial.applySnapshot(source, number)
    }

    /// Reads as much of a log as the next one says.
    private mutating func readLog(_ number: Int) throws {
        let hasNext = logs.contains(number + 1)
        let end = hasNext ? try content.header(of: number + 1)?.before : nil
        try readSoundRecords(try content.source(number, .log), number, end: end)
    }

    /// Reads durable bytes past damage, and others up to the first damage.
    private mutating func readSoundRecords(_ source: LogSource, _ number: Int, end: Int? = nil)
        throws
    {
        let sound = try LogReader(source, number: number, end: end)
        if sound == nil { damages += 1 }
        guard var reader = try sound ?? LogReader(salvaging: source, end: end) else { return }
        let durable = end == nil ? try reader.durableBytes : reader.limit
        repeat {
            while let record = try reader.next() {
                var operations = OperationReader(record)
                while let operation = try? operations.next() {
                    content.apply(operation, record, log: number)
                }
            }
            if reader.isAtEnd || reader.position >= durable { return }
            damages += 1
        } while try reader.resynchronize()
    }

    /// Visits the states; returns how many cannot be read.
    private func visitStates(_ visit: RecordVisitor) throws -> Int {
        var (lost, log, rest) = (0, 0, 0)
        var file: (any OpenFile)?
        for (key, location) in content.blobs.sorted(by: { $0.value < $1.value }) {
            if location.length == 0 {
                try key.withUnsafeBytes {
                    try visit(.state, $0, UnsafeRawBufferPointer(start: nil, count: 0))
                }
                continue
            }
            if location.log != log {
                log = location.log
                file = try openLog(log)
                rest = try file?.writtenSize() ?? 0
            }
            // Each state has bytes of its own. Damage could turn one state into many.
            guard let file, location.length <= rest,
                case let value = try file.read(location.length, at: location.offset),
                value.count == location.length
            else {
                lost += 1
                continue
            }
            rest -= location.length
            try key.withUnsafeBytes { key in
                try value.withUnsafeBytes { try visit(.state, key, $0) }
            }
        }
        return lost
    }

    /// Returns `nil` if the log is gone.
    private func openLog(_ number: Int) throws(StorageError) -> (any OpenFile)? {
        do throws(StorageError) {
            return try content.directory.open(Replay.name(number, .log), mode: .read)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }
}
