import BrowserModel
import BrowserSessions
import DirectoryBackend
import SessionLifecycle
import SessionRestoration
import SessionTesting

/// One user of a server, with a profile on an actor of their own.
actor User: SessionHost {
    enum Failure: Error { case begin, end }

    /// Where the sessions are.
    enum Store {
        case memory(MemoryStorage)
        case folder(String)

        func open() async throws -> any SessionStorage {
            switch self {
            case .memory(let storage): storage
            case .folder(let path):
                try await StorageBackend.directory.open(StorageConfiguration(location: path))
            }
        }
    }

    nonisolated let id: String
    private let store: Store
    private let gate: Gate?
    /// How often it still fails.
    private var failuresToBegin: Int
    private var failuresToEnd: Int
    private var windows = WindowList()
    private var restorer: SessionRestorer?
    /// `begin` and `end`, in the order of the calls.
    private(set) var calls: [String] = []

    init(
        _ id: String, failuresToBegin: Int = 0, failuresToEnd: Int = 0, gate: Gate? = nil,
        in store: Store = .memory(MemoryStorage())
    ) {
        self.id = id
        self.failuresToBegin = failuresToBegin
        self.failuresToEnd = failuresToEnd
        self.gate = gate
        self.store = store
    }

    func beginSessions() async throws {
        calls.append("begin")
        await gate?.pass()
        try Task.checkCancellation()
        if failuresToBegin > 0 {
            failuresToBegin -= 1
            throw Failure.begin
        }
        windows = WindowList()
        let restorer = SessionRestorer(windows: windows, storage: try await store.open())
        self.restorer = restorer
        try await restorer.restore()
    }

    func endSessions() async throws {
        calls.append(Task.isCancelled ? "cancelled end" : "end")
        if failuresToEnd > 0 {
            failuresToEnd -= 1
            throw Failure.end
        }
        guard let restorer else { return }
        try await restorer.close()
        try await restorer.currentStorage.close()
        self.restorer = nil
    }

    func browse(_ number: Int) throws {
        let window = try windows.open()
        for page in 0..<5 {
            let url = "https://\(number).example/\(page)"
            try window.tabs.insert(Tab(url: url, title: "\(number)/\(page)"), as: .active)
        }
        try window.tabs.move(window.tabs[4], to: 0)
        try window.tabs.close(window.tabs[4], reason: .cleanup)
    }

    var titles: [[String]] { windows.windows.map { $0.tabs.tabs.map(\.title) } }
}

/// Holds up those who come until it is opened, or their task is cancelled.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream<Void>.makeStream() }

    func pass() async { for await _ in stream {} }
    func open() { continuation.finish() }
}
