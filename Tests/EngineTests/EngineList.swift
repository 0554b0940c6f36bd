import BrowserSessions
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend
import StorageEngines
import Testing

/// The engines that the contract is checked with, and their backends.
struct TestedEngine: Sendable, CustomTestStringConvertible {
    let engine: any SalvagingFileEngine
    let backend: StorageBackend
    var testDescription: String { engine.name }

    static let directory = TestedEngine(engine: DirectoryEngine(), backend: .directory)
    static let all = [
        TestedEngine(engine: SQLiteEngine(), backend: .sqlite),
        TestedEngine(engine: LevelDBEngine(), backend: .leveldb),
    ]
    static let withDirectory = [directory] + all
}
