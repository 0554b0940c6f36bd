import BackendSelection
import BrowserSessions
import MemoryBackend
import StorageCheck

@main
struct Check {
    static func main() async throws {
        await StorageCheckMain.run(registry: try BackendRegistry([.memory])) { harness in
            var harness = harness
            harness.persistence = .process
            return harness
        }
    }
}
