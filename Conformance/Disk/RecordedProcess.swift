import BrowserSessions
import ChildProcesses
import StorageEngines

/// A process of a case with recorded calls on the files of a store.
struct RecordedProcess {
    let trace: DiskTrace
    /// The lines that it reported.
    let lines: [String]
    let end: ProcessEnd
    /// The last lines that it wrote to standard error.
    let lastWords: String

    /// Starts a worker, which begins the trace itself, and waits for its end.
    ///
    /// Throws ``NotTried`` if the worker did something that cannot be followed.
    init(
        _ worker: Worker, of context: CaseContext, at location: String,
        options: [String: String] = [:]
    ) async throws {
        let file = try await context.makeLocation("trace")
        let child = try context.startChild(
            worker.name, at: location,
            options: options.merging([Self.option: file]) { $1 })
        lines = await child.remainingLines()
        end = await child.end()
        lastWords = child.errorTail
        trace = try DiskTrace(reading: try FileSystem.read(file))
        try await context.remove(file)
        if let escape = trace.escapes.min() {
            throw NotTried("the store uses \(escape), which cannot be followed")
        }
    }

    /// Begins, in the process itself, to record what it does to the files at a location.
    static func begin(_ order: ChildOrder) throws {
        guard let file = order.options[option] else {
            throw HarnessFault("the order of \(order.worker) names no trace")
        }
        try DiskTrace.begin(at: order.location, to: file)
    }

    private static let option = "trace"
}

extension SimulatedDisk {
    /// Throws ``NotTried`` unless the trace matches the files. Otherwise something bypassed the C
    /// library, and what a power cut would leave is unknown.
    func requireToBeWhatLies(at location: String) throws {
        let folder = FileSystem.parent(of: location)
        let name = String(location.dropFirst(folder.count + 1))
        if let path = try image(after: .kill).difference(from: folder, name) {
            throw NotTried("what the store does to '\(path)' cannot be followed")
        }
    }
}
