#if os(Linux)
    import ChildProcesses
    import Foundation
    import Glibc
    import StorageConformance
    import TestSupport
    import Expectations

    /// A terminal without a screen: what a program writes to it is read at the other end.
    final class PseudoTerminal {
        private let controller: Descriptor
        private let path: String

        // TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not see.
        private static let setLock: UInt = 0x4004_5431
        private static let getNumber: UInt = 0x8004_5430

        /// - Parameter columns: 0 for a terminal that does not know its size.
        init(columns: UInt16) throws {
            controller = try Descriptor("/dev/ptmx", O_RDWR | O_NOCTTY)
            let descriptor = controller.number
            var (lock, number): (Int32, UInt32) = (0, 0)
            try require(ioctl(descriptor, Self.setLock, &lock) == 0)
            try require(ioctl(descriptor, Self.getNumber, &number) == 0)
            path = "/dev/pts/\(number)"
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            try require(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
        }

        /// The program's end, without the terminal's own changes of what is written.
        func open() throws -> Descriptor {
            let end = try Descriptor(path, O_RDWR | O_NOCTTY)
            var settings = termios()
            try require(tcgetattr(end.number, &settings) == 0)
            settings.c_oflag &= ~tcflag_t(OPOST)
            try require(tcsetattr(end.number, TCSANOW, &settings) == 0)
            return end
        }

        /// Whether keys come to the program one by one, instead of whole lines.
        var isRaw: Bool {
            var settings = termios()
            tcgetattr(controller.number, &settings)
            return settings.c_lflag & tcflag_t(ICANON) == 0
        }

        /// What a person types.
        func type(_ text: String) { controller.write(Array(text.utf8)) }

        /// Reads what is there, and waits for something if nothing is; empty when no process has it open.
        func read() -> [UInt8] { controller.read() }

        /// Runs a program with a terminal for its standard output and one for its messages; returns what it
        /// wrote to the first, and what is seen of the other at the end.
        static func run(
            _ arguments: [String], columns: UInt16, _ environment: [String: String] = [:]
        ) throws -> ProgramOutcome {
            let terminals = try [
                PseudoTerminal(columns: columns), PseudoTerminal(columns: columns),
            ]
            let program = try Tool.start(
                arguments, environment, output: .descriptor(terminals[0].open()),
                messages: .descriptor(terminals[1].open()))
            var texts: [[UInt8]] = [[], []]
            var open = [0, 1]
            // waits: each turn reads, until the program has ended
            while !open.isEmpty {
                var places = open.map {
                    let descriptor = terminals[$0].controller.number
                    return pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                }
                guard poll(&places, nfds_t(places.count), -1) > 0 else {
                    try require(errno == EINTR)
                    continue
                }
                for (index, place) in zip(open, places) where place.revents != 0 {
                    let bytes = terminals[index].read()
                    texts[index] += bytes
                    if bytes.isEmpty { open.removeAll { $0 == index } }
                }
            }
            return ProgramOutcome(
                status: try require(program.end().status),
                output: String(decoding: texts[0], as: UTF8.self),
                messages: seen(String(decoding: texts[1], as: UTF8.self)))
        }

        /// The text without lines of progress. Each of them removes the one before it.
        private static func seen(_ text: String) -> String {
            let parts = text.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(into: String(parts.first ?? "")) { seen, part in
                let line = seen.lastIndex(of: "\n").map { seen.index(after: $0) } ?? seen.startIndex
                seen.removeSubrange(line...)
                seen += part
            }
        }
    }
#endif
