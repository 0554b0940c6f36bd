import BrowserSessions
import Foundation
import StorageEngines

/// A file descriptor that no child inherits, closed with this value.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes one over, under a number that no child expects anything at.
    package init(_ number: Int32) throws {
        guard number >= 0 else { throw StorageError.system("open", "a descriptor") }
        self.number = fcntl(number, F_DUPFD_CLOEXEC, 64)
        let failure = errno
        Foundation.close(number)
        guard self.number >= 0 else {
            throw StorageError.system("keep", "a descriptor", number: failure)
        }
    }

    /// Opens a file, which is made if need be.
    package convenience init(_ path: String, _ flags: Int32) throws {
        let number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw StorageError.system("open", path) }
        try self.init(number)
    }

    deinit { Foundation.close(number) }

    /// Bytes that are there, or the next ones that come; none at the end.
    package func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        repeat {
            count = Foundation.read(number, &bytes, bytes.count)
        } while count < 0
            && errno == EINTR
        return Array(bytes.prefix(max(count, 0)))
    }

    /// All bytes that come until the end.
    package func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        while case let bytes = read(), !bytes.isEmpty { all += bytes }
        return all
    }

    /// `false` if nobody reads any more.
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

/// Two ends.
package struct DescriptorPipe {
    package let read: Descriptor
    package let write: Descriptor

    package init() throws {
        // A process that has ended must not end the tests when they write to it.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw StorageError.system("make", "a pipe") }
        (read, write) = try (Descriptor(ends[0]), Descriptor(ends[1]))
    }
}
