import Foundation

/// A file descriptor that no child inherits, closed with this value.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes one over, under a number that no child expects anything at.
    init(_ number: Int32) throws {
        self.number = fcntl(number, F_DUPFD_CLOEXEC, 64)
        let failure = errno
        Foundation.close(number)
        guard self.number >= 0 else {
            throw DrivingError("no descriptor: \(String(cString: strerror(failure)))")
        }
    }

    deinit { Foundation.close(number) }

    /// Bytes that are there, or the next ones that come; none at the end.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        repeat {
            count = Foundation.read(number, &bytes, bytes.count)
        } while count < 0
            && errno == EINTR
        return Array(bytes.prefix(max(count, 0)))
    }

    /// `false` if nobody reads any more.
    func write(_ bytes: [UInt8]) -> Bool {
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
struct DescriptorPipe {
    let read: Descriptor
    let write: Descriptor

    init() throws {
        // A browser that has ended must not end the tests when they write to it.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw DrivingError("no pipe") }
        (read, write) = try (Descriptor(ends[0]), Descriptor(ends[1]))
    }
}
