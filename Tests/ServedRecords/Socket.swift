import Foundation

/// A connection between two processes of this machine, over which messages go.
final class Socket {
    private let owned: Descriptor
    private var descriptor: Int32 { owned.number }

    /// Why a message did not come through.
    enum Failure: Error {
        /// The other end is gone, or the connection is.
        case closed
        /// Nothing came within the time.
        case late
    }

    init(_ descriptor: Int32) { owned = Descriptor(descriptor) }

    /// Ends what is being sent or received, from any thread.
    var interrupt: @Sendable () -> Void {
        { [owned] in _ = shutdown(owned.number, Int32(SHUT_RDWR)) }
    }

    /// Connects to a server.
    ///
    /// - Parameter timeout: how long to wait for bytes to come or go.
    convenience init(to path: String, timeout: Duration) throws {
        let descriptor = socket(AF_UNIX, Self.stream, 0)
        guard descriptor >= 0 else { throw Failure.closed }
        Self.limit(descriptor, to: timeout)
        guard try Self.withAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            throw Failure.closed
        }
        self.init(descriptor)
    }

    /// From now on bytes may take as long as they want.
    func waitWithoutLimit() { Self.limit(descriptor, to: .zero) }

    private static func limit(_ descriptor: Int32, to timeout: Duration) {
        var limit = timeval()
        let (seconds, rest) = timeout.components
        limit.tv_sec = .init(seconds)
        limit.tv_usec = .init(rest / 1_000_000_000_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// A descriptor that listens at a path.
    static func listen(at path: String) throws -> Int32 {
        unlink(path)
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0, try withAddress(path, { bind(descriptor, $0, $1) }) == 0,
            Foundation.listen(descriptor, 64) == 0
        else { throw Failure.closed }
        return descriptor
    }

    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    private static func withAddress<Success>(
        _ path: String, _ work: (UnsafePointer<sockaddr>, socklen_t) -> Success
    ) throws -> Success {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure.closed
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                work($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Whether the other end of a connection is still there.
    static func isOpen(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&state, 1, 0) <= 0 || state.revents & Int16(POLLHUP) == 0
    }

    // MARK: Messages

    /// A connection over which a message did not come is of no use any more, and ends both ways.
    private func failed(_ failure: Failure) -> Failure {
        interrupt()
        return failure
    }

    func send(_ message: [UInt8]) throws {
        var bytes = withUnsafeBytes(of: UInt64(message.count).littleEndian) { [UInt8]($0) }
        bytes += message
        var done = 0
        while done < bytes.count {
            let step = bytes.withUnsafeBytes {
                Foundation.send(
                    descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done,
                    Int32(Self.noSignal))
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw failed(errno == EAGAIN ? .late : .closed) }
            done += step
        }
    }

    #if canImport(Darwin)
        private static let noSignal = 0
    #else
        private static let noSignal = MSG_NOSIGNAL
    #endif

    func receive() throws -> [UInt8] {
        let head = try receive(8)
        let count = head.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count <= 1 << 30 else { throw failed(.closed) }
        return try receive(Int(count))
    }

    private func receive(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let step = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress?.advanced(by: done), count - done, 0)
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else {
                throw failed(step < 0 && errno == EAGAIN ? .late : .closed)
            }
            done += step
        }
        return bytes
    }
}

/// A descriptor that is closed with its last reference, so that its number is not reused earlier.
private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
