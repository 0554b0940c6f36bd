import BackendSelection
import BrowserSessions
import LevelDBBackend
import SQLiteBackend
import StorageBenchmark
import ToolSupport

@main
struct Storagebench {
    static func main() async throws {
        await StorageBenchMain.run(
            registry: try .tool(),
            libraries: ["sqlite": SQLiteLibrary.version, "leveldb": LevelDBLibrary.version])
    }
}
