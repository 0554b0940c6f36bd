import ArgumentParser
import BrowserSessions
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend

/// Measures the operations of a browser against what the disk itself costs.
///
/// Everything is given as a ratio to a floor that is measured in turn with it, so that noise of the
/// machine meets both: A = append of the same bytes and one fdatasync; D = decoding the same
/// metadata from memory; R = open, read and close of a file of the blob's size.
@main
struct Storagebench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storagebench",
        abstract: "Compares the backends with each other and with the floor of the disk.")

    @Option(help: "A folder on the disk to measure; a folder in it is made and removed.")
    var folder: String = "."

    @Option(help: "Pairs of measurements for each figure.")
    var samples: Int = 150

    @Option(help: "Only this backend.")
    var backend: String?

    @Option(help: "The seed of the generated sessions.")
    var seed: UInt64 = 1

    func run() async throws {
        let backends: [StorageBackend] = [.directory, .sqlite, .leveldb]
            .filter { backend == nil || $0.name == backend }
        guard !backends.isEmpty else { throw ValidationError("no backend '\(backend ?? "")'") }
        let root = "\(folder)/storagebench-\(seed)"
        try FileSystem.remove(root)
        try FileSystem.makeDirectories(root)
        defer { try? FileSystem.remove(root) }
        var rows: [String: [String]] = [:]
        var order: [String] = []
        for backend in backends {
            let bench = BackendBench(backend: backend, root: root, samples: samples, seed: seed)
            for figure in try bench.run() {
                if rows[figure.name] == nil { order.append(figure.name) }
                rows[figure.name, default: []].append(figure.value)
            }
        }
        let width = (order.map(\.count).max() ?? 0) + 2
        print(pad("", width) + backends.map { pad($0.name, 22) }.joined())
        for name in order {
            print(pad(name, width) + (rows[name] ?? []).map { pad($0, 22) }.joined())
        }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
