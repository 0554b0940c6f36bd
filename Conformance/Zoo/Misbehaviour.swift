import BrowserSessions
import Foundation
import StorageEngines

/// What a backend can do to its process. The runner must continue after each, and fail the
/// case.
enum Misbehaviour: String, CaseIterable, Sendable {
    case hangs, traps, exits, prints, forks

    /// A backend that is sound until a store is closed for the second time.
    var backend: StorageBackend {
        StorageBackend(name: "reference", summary: rawValue) {
            configuration throws(StorageError) in
            let isClosed = FaultMemory(false)
            return try ReferenceEngine.open(configuration).on(CloseRequest.self) { close, store in
                if isClosed.set(true) { await happen() }
                try await close.perform(on: store)
            }
        }
    }

    fileprivate func happen() async {
        switch self {
        case .hangs:
            // waits: hangs, which is its fault
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        case .traps: preconditionFailure("a backend that traps")
        case .exits: exit(0)
        case .prints: FileHandle.standardOutput.write(Data("a word\n".utf8))
        case .forks: leaveAProcess()
        }
    }

    /// Leaves a process that keeps the pipes of this one open for a long time.
    private func leaveAProcess() {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sleep")
        process.arguments = ["600"]
        try? process.run()
    }
}
