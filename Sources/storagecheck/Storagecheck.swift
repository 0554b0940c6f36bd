import BackendSelection
import StorageCheck
import ToolSupport

@main
struct Storagecheck {
    static func main() async throws {
        await StorageCheckMain.run(registry: try .tool(), libraries: ToolLibraries.versions)
    }
}
