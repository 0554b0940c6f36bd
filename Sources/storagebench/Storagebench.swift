import BackendSelection
import BrowserSessions
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend
import StorageBenchmark

@main
struct Storagebench {
    static func main() async throws {
        let registry = try BackendRegistry([.directory, .sqlite, .leveldb])
        await StorageBenchMain.run(
            registry: registry,
            libraries: ["sqlite": SQLiteLibrary.version, "leveldb": LevelDBLibrary.version])
    }
}
