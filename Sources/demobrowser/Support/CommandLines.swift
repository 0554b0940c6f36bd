import Foundation

/// The lines of a script or of standard input.
enum CommandLines {
    /// Reads standard input on a thread of its own, because reading waits.
    static func standardInput() -> AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }

    static func file(_ path: String) throws -> AsyncStream<String> {
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        return AsyncStream { lines in
            for line in text.split(separator: "\n") { lines.yield(String(line)) }
            lines.finish()
        }
    }
}
