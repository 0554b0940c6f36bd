import BrowserSessions
import Foundation
import StorageEngines

/// The reason that a result could not be written to standard output.
package struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The error number of the system.
    var number: Int32

    /// Whether the reader closed the stream early, as `head` does.
    package var isBrokenPipe: Bool { number == EPIPE }

    package var description: String {
        "cannot write to standard output: " + String(cString: strerror(number))
    }

    /// Reports the error, unless the reader merely closed the stream early.
    ///
    /// - Parameter program: the program name at the beginning of the report.
    package func tell(as program: String) {
        if !isBrokenPipe { Console.message("\(program): \(self)") }
    }
}

/// An unbuffered standard stream.
package struct StandardStream: Sendable {
    package static let output = StandardStream(descriptor: 1)
    package static let messages = StandardStream(descriptor: 2)
    /// Standard input, used only to test for a terminal.
    package static let input = StandardStream(descriptor: 0)

    private let descriptor: Int32

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Prepares the standard streams. Call this first. Writing to a closed stream, or to a file at
    /// its size limit, then throws instead of ending the process. A file opened later never takes
    /// the place of a missing standard stream.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // This descriptor gets the lowest free number and cannot be written to.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes the entire text, waiting for a slow reader.
    package func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    /// Writes bytes, which need not be text.
    package func write(_ bytes: [UInt8]) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            let number = errno
            switch number {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK:
                // A process that shares the stream made it nonblocking.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            default: throw OutputError(number: number)
            }
        }
    }

    /// Returns the number of cells in a terminal line; `nil` if there is no terminal, so that nothing is cut.
    package func width(environment: [String: String]) -> Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }
}
