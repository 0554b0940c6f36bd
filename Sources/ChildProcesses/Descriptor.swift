package import BrowserSessions
import Foundation
import StorageEngines

/// A file descriptor that no child inherits, closed with this value.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes over a descriptor, under a number at which no child expects anything.
    package init(_ number: Int32) throws(StorageError) {
        guard number >= 0 else { throw StorageError.system("open", path: "a descriptor") }
        self.number = fcntl(number, F_DUPFD_CLOEXEC, 64)
        let failure = errno
        Foundation.close(number)
        guard self.number >= 0 else {
            throw StorageError.system("keep", path: "a descriptor", number: failure)
        }
    }

    /// Opens a file, or creates it if the flags say so.
    package convenience init(_ path: String, _ flags: Int32) throws(StorageError) {
        let number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw StorageError.system("open", path: path) }
        try self.init(number)
    }

    deinit { Foundation.close(number) }

    /// Returns the bytes that are there or, if there are none, the next ones; `[]` at the end.
    package func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        repeat {
            count = Foundation.read(number, &bytes, bytes.count)
        } while count < 0
            && errno == EINTR
        return Array(bytes.prefix(max(count, 0)))
    }

    /// Returns all bytes until the end.
    package func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        while case let bytes = read(), !bytes.isEmpty { all += bytes }
        return all
    }

    /// Writes all bytes. Returns `false` if the other end is closed and SIGPIPE is ignored.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// The two ends of a pipe.
package struct DescriptorPipe: Sendable {
    package let read: Descriptor
    package let write: Descriptor

    package init() throws(StorageError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw StorageError.system("make", path: "a pipe") }
        do throws(StorageError) { read = try Descriptor(ends[0]) } catch {
            Foundation.close(ends[1])
            throw error
        }
        write = try Descriptor(ends[1])
    }
}
