import BackendSelection
import StorageBenchmark
import ToolSupport

@main
struct Storagebench {
    static func main() async throws {
        await StorageBenchMain.run(registry: try .tool(), libraries: ToolLibraries.versions)
    }
}
