import Foundation

/// The reading end of a pipe of a child process.
///
/// It is read to its end, or, once the child has ended, as far as it is filled by then: a process
/// that the child left behind may hold the pipe open for ever.
struct PipeReader {
    private let file: Int32
    private(set) var isOpen = true
    /// Whether somebody still held the pipe when the child had ended.
    private(set) var isHeld = false

    init(_ file: Int32) {
        self.file = file
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
    }

    /// Waits until there is something to read in one of them, or the child has ended, which closes
    /// the other end of `ended`; returns whether it has.
    static func wait(for one: PipeReader, _ other: PipeReader, or ended: Int32) -> Bool {
        let open = [one, other].filter(\.isOpen).map(\.file)
        var files = (open + [ended]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&files, nfds_t(files.count), -1)
        return files.last?.revents != 0
    }

    mutating func readWhatIsThere(isLast: Bool, _ use: (ArraySlice<UInt8>) -> Void) {
        guard isOpen else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count > 0 {
                use(buffer[..<count])
                continue
            }
            if count < 0 && errno == EINTR { continue }
            let isEmpty = count < 0 && errno == EAGAIN
            if isEmpty && !isLast { return }
            isHeld = isEmpty
            isOpen = false
            close(file)
            return
        }
    }
}

/// Finds the lines with a marker in what a process writes.
struct LineReader {
    private let marker: [UInt8]
    private var rest: [UInt8] = []

    init(marker: String) { self.marker = [UInt8](marker.utf8) }

    /// - Parameter deliver: gets each line without its marker.
    mutating func read(_ bytes: ArraySlice<UInt8>, _ deliver: (String) -> Void) {
        let pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for piece in pieces.dropLast() {
            let line = rest + piece
            rest = []
            guard line.starts(with: marker) else { continue }
            deliver(String(decoding: line.dropFirst(marker.count), as: UTF8.self))
        }
        rest += pieces.last ?? []
        // Noise without an end is no line of ours, and need not be kept.
        if !rest.starts(with: marker.prefix(rest.count)) { rest = [UInt8(ascii: " ")] }
    }
}
