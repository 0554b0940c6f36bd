import BrowserSessions
import LevelDBBackend
import SQLiteBackend
import StorageEngines
import Testing

/// The engines that the contract is checked with.
struct TestedEngine: Sendable, CustomTestStringConvertible {
    let engine: any SalvagingFileEngine
    var testDescription: String { engine.name }

    static let all = [
        TestedEngine(engine: SQLiteEngine()),
        TestedEngine(engine: LevelDBEngine()),
    ]
}
