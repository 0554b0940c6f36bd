import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

extension TemporaryFolder {
    /// A copy of another directory as it is now: what a kill would leave.
    convenience init(copying other: String) throws {
        self.init(inMemory: true)
        try fill(from: other)
    }

    /// Copies the content of a directory; once more if an engine was tidying up or writing behind the
    /// calls meanwhile, since a kill would not mix two moments.
    func fill(from other: String) throws {
        while true {
            let files = try Self.sizes(in: other)
            do {
                for name in try FileSystem.contents(of: other) {
                    try FileSystem.copy("\(other)/\(name)", to: "\(path)/\(name)")
                }
                if try Self.sizes(in: other) == files { return }
            } catch let error as StorageError where error.code == .notFound {}
            for name in try FileSystem.contents(of: path) {
                try FileSystem.remove("\(path)/\(name)")
            }
        }
    }

    /// The sizes of the files in a directory, which differ while a table is written.
    private static func sizes(in path: String) throws -> [String: Int] {
        var sizes: [String: Int] = [:]
        for name in try files(in: path) {
            sizes[name] = try FileSystem.status("\(path)/\(name)")?.size
        }
        return sizes
    }

    /// The files in a directory and those in it.
    static func files(in path: String, _ below: String = "") throws -> [String] {
        try FileSystem.contents(of: path).flatMap { name in
            let status = try FileSystem.status("\(path)/\(name)")
            return status?.kind == .directory
                ? try files(in: "\(path)/\(name)", "\(name)/") : [below + name]
        }
    }
}

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                var word = next()
                for _ in 0..<min(8, count - filled) {
                    buffer[filled] = UInt8(truncatingIfNeeded: word)
                    word >>= 8
                    filled += 1
                }
            }
        }
    }
}

extension SalvagingFileEngine {
    func open(_ path: String, wasClosed: Bool = false) throws -> any OrderedByteStore {
        try open(OpenRequest(PosixDirectory(opening: path), wasClosed: wasClosed))
    }

    func salvage(_ path: String, _ visit: RecordVisitor) throws -> [String] {
        try salvage(PosixDirectory(opening: path), visit)
    }
}

extension SalvagingFileEngine {
    /// What a kill leaves of a store into which numbered records of 100 bytes were put, in turn under so
    /// many keys; its log has all of them.
    func killedStore(_ count: Int, durably: Bool = true, keys: Int = 256) throws -> TemporaryFolder
    {
        let original = TemporaryFolder(inMemory: true)
        let store = try open(original.path)
        for number in 0..<count {
            try store.put(
                [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100),
                [UInt8(number % keys)], durably: durably)
        }
        let copy = try TemporaryFolder(copying: original.path)
        try store.close()
        return copy
    }
}

extension FileSystem {
    static func change(_ path: String, _ body: (inout [UInt8]) throws -> Void) throws {
        var bytes = try read(path)
        try body(&bytes)
        try replace(path, with: bytes)
    }
}

extension TemporaryFolder {
    /// Opens a store in which the end of a save is destroyed behind some keys: one that had to be durable is
    /// missed, and any other is left out with a note.
    func expectDestroyedEnd(
        behind keys: [[UInt8]], isMissed: Bool, by engine: some SalvagingFileEngine,
        file: String = #fileID, line: Int = #line
    ) throws {
        guard !isMissed else {
            let error = expect(throws: StorageError.self, file: file, line: line) {
                try engine.open(path)
            }
            expect(error?.code, is: .corrupted, file: file, line: line)
            return
        }
        let store = try engine.open(path)
        expect(try store.keys(.metadata) == keys, file: file, line: line)
        expect(store.openingNotes.count, is: 1, file: file, line: line)
        try store.close()
    }
}

extension OrderedByteStore {
    func contents(_ space: KeySpace, prefix: [UInt8] = []) throws -> [[UInt8]: [UInt8]] {
        var contents: [[UInt8]: [UInt8]] = [:]
        try scan(space, prefix: prefix) { key, value in contents[[UInt8](key)] = [UInt8](value) }
        return contents
    }

    func keys(_ space: KeySpace, prefix: [UInt8] = []) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try scan(space, prefix: prefix) { key, _ in keys.append([UInt8](key)) }
        return keys
    }

    func put(
        _ value: [UInt8], _ key: [UInt8], in space: KeySpace = .metadata, durably: Bool = true
    ) throws {
        var batch = ByteBatch()
        batch.put(value, for: key, in: space)
        try write(batch, durably: durably)
    }
}
