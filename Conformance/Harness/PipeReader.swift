import ChildProcesses
import Foundation

/// The reading end of a child's pipe.
///
/// Reads to the end or, after the child has ended, as far as the pipe is filled by then. A process
/// that the child left behind may hold the pipe open forever.
struct PipeReader {
    /// `nil` after the end.
    private var file: Descriptor?
    var isOpen: Bool { file != nil }
    /// Whether a process still held the pipe when the child had ended.
    private(set) var isHeld = false

    init(_ file: Descriptor?) {
        self.file = file
        if let file { _ = fcntl(file.number, F_SETFL, O_NONBLOCK) }
    }

    /// Waits until one of the pipes can be read, or until the child has ended, which writes to the
    /// other end of `ended`. Returns whether the child has ended.
    static func wait(for one: PipeReader, _ other: PipeReader, or ended: Descriptor) -> Bool {
        var files = [one.file, other.file, ended].compactMap(\.self).map {
            pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&files, nfds_t(files.count), -1)
        return files.last?.revents != 0
    }

    mutating func readWhatIsThere(isLast: Bool, _ use: (ArraySlice<UInt8>) -> Void) {
        guard let file else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file.number, &buffer, buffer.count)
            if count > 0 {
                use(buffer[..<count])
                continue
            }
            if count < 0 && errno == EINTR { continue }
            let isEmpty = count < 0 && errno == EAGAIN
            if isEmpty && !isLast { return }
            isHeld = isEmpty
            self.file = nil
            return
        }
    }
}

/// Finds lines with a marker in the output of a process.
struct LineReader {
    private let marker: [UInt8]
    private var rest: [UInt8] = []

    init(marker: String) { self.marker = [UInt8](marker.utf8) }

    /// - Parameter deliver: receives each line without its marker.
    mutating func read(_ bytes: ArraySlice<UInt8>, _ deliver: (String) -> Void) {
        let pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for piece in pieces.dropLast() {
            let line = rest + piece
            rest = []
            guard line.starts(with: marker) else { continue }
            deliver(String(decoding: line.dropFirst(marker.count), as: UTF8.self))
        }
        rest += pieces.last ?? []
        // Output that can no longer become a marked line need not be kept.
        if !rest.starts(with: marker.prefix(rest.count)) { rest = [UInt8(ascii: " ")] }
    }
}
