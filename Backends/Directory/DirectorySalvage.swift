import BrowserSessions

/// Reads what can be read of damaged files: every sound record, in the order of writing.
struct DirectorySalvage {
    private var content: Replay
    private var damages = 0

    init(_ directory: String) { content = Replay(directory) }

    mutating func run(
        _ emit: (KeySpace, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws -> [String] {
        try content.findFiles()
        for number in Set(content.logs + content.snapshots).sorted() {
            if content.snapshots.contains(number) { try readSnapshot(number) }
            if content.logs.contains(number) { try readLog(number) }
        }
        try content.metadata.scan(prefix: []) { try emit(.metadata, $0, $1) }
        var lost = 0
        for (key, location) in content.blobs {
            guard let value = try? readBlob(location) else {
                lost += 1
                continue
            }
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try emit(.state, key, $0) }
            }
        }
        var notes = ["\(damages) damaged places in \(content.logs.count) logs were passed over"]
        if damages > 0 { notes.append("records whose removal was damaged may have come back") }
        if lost > 0 { notes.append("\(lost) states lie in logs that cannot be read") }
        return notes
    }

    /// A sound snapshot replaces what came before; of a damaged one the sound records are added.
    private mutating func readSnapshot(_ number: Int) throws {
        let file = try FileSystem.read(content.path(number, .snapshot))
        var whole = Replay(content.directory)
        if whole.applySnapshot(file, number) {
            content.forgetEverything()
            _ = content.applySnapshot(file, number)
        } else {
            readSoundRecords(file, number)
        }
    }

    /// Of a log as much counts as the next one says.
    private mutating func readLog(_ number: Int) throws {
        let hasNext = content.logs.contains(number + 1)
        let end = hasNext ? try content.header(of: number + 1)?.before : nil
        readSoundRecords(try FileSystem.read(content.path(number, .log)), number, end: end)
    }

    /// What was durable is read over damaged places; what was not, up to the first of them.
    private mutating func readSoundRecords(_ file: [UInt8], _ number: Int, end: Int? = nil) {
        let sound = LogReader(file, number: number, end: end)
        if sound == nil { damages += 1 }
        guard var reader = sound ?? LogReader(salvaging: file, end: end) else { return }
        let durable = end == nil ? reader.durableBytes : reader.limit
        repeat {
            while let record = reader.next() {
                var operations = OperationReader(file, record.body)
                while let operation = try? operations.next() {
                    content.apply(operation, file, log: number)
                }
            }
            if reader.isAtEnd || reader.position >= durable { return }
            damages += 1
        } while reader.resynchronize()
    }

    private func readBlob(_ location: BlobLocation) throws -> [UInt8] {
        let file = try FileDescriptor(opening: content.path(location.log, .log), 0)
        return try file.read(location.length, at: location.offset)
    }
}
