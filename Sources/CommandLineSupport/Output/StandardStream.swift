import BrowserSessions
import Foundation
import StorageEngines

/// Why a result could not be written to standard output.
package struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The number of the system's error.
    var number: Int32

    /// Whether somebody read the beginning and wants no more, as `head` does.
    package var isBrokenPipe: Bool { number == EPIPE }

    package var description: String {
        "cannot write to standard output: " + String(cString: strerror(number))
    }

    /// Tells it, unless a reader just wanted no more.
    ///
    /// - Parameter program: who tells it.
    package func tell(as program: String) {
        if !isBrokenPipe { Console.message("\(program): \(self)") }
    }
}

/// A standard stream, written to through no buffer.
package struct StandardStream: Sendable {
    package static let output = StandardStream(descriptor: 1)
    package static let messages = StandardStream(descriptor: 2)
    /// Only to be asked whether somebody is there.
    package static let input = StandardStream(descriptor: 0)

    private let descriptor: Int32

    /// Whether a person is at its other end.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Makes writing to a stream that nobody reads, and to a file that has reached a limit, an error, not
    /// the end of the process; and sees to it that no file that is opened later is taken for a standard
    /// stream, if the program was started without one. The first that a program does.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // It gets the lowest number that is free, and cannot be written to.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes everything; waits for a slow reader.
    package func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    /// The same for bytes, which need not be text.
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
                // Somebody who shares it made it answer at once.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            default: throw OutputError(number: number)
            }
        }
    }

    /// How many cells a line of the terminal has; `nil` if it is none, so that nothing is cut.
    package func width(environment: [String: String]) -> Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }
}
