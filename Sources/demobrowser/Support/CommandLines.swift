import BrowserSessions
import Foundation
import Synchronization

/// The lines of a script or of standard input.
///
/// A line is read on request, on another thread, because reading blocks. The main actor is
/// therefore free between two commands, however fast they arrive, and saves can begin there.
enum CommandLines {
    static func standardInput() -> AsyncStream<String> { lines { readLine() } }

    static func file(_ path: String) throws -> AsyncStream<String> {
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let rest = Mutex(text.split(separator: "\n")[...])
        return lines { rest.withLock { $0.popFirst().map(String.init) } }
    }

    private static func lines(_ next: @escaping @Sendable () -> String?) -> AsyncStream<String> {
        AsyncStream { await BlockingWork.run { next() } }
    }
}
