import Foundation

/// An address on this machine at which a process listens.
public enum LoopbackEndpoint: Hashable, Sendable {
    /// A TCP port of 127.0.0.1.
    case port(UInt16)
    /// A socket in the file system.
    case path(String)
}

/// Sockets of this machine.
enum LoopbackSocket {
    /// A call of the system that failed.
    struct Failed: Error { var code = errno }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
        private static let noSignal: Int32 = 0
    #elseif canImport(Musl)
        private static let stream = SOCK_STREAM
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    /// Returns a socket that listens in the same way as another, and its address.
    static func listen(beside other: LoopbackEndpoint) throws -> (Int32, LoopbackEndpoint) {
        let place: LoopbackEndpoint =
            switch other {
            case .port: .port(0)
            case .path(let path): .path("\(path)-\(UInt16.random(in: .min ... .max))")
            }
        let descriptor = try open(place)
        guard try withAddress(of: place, { bind(descriptor, $0, $1) }) == 0,
            Foundation.listen(descriptor, 64) == 0
        else {
            let failure = Failed()
            close(descriptor)
            throw failure
        }
        guard case .port = place else { return (descriptor, place) }
        return (descriptor, .port(try port(of: descriptor)))
    }

    static func accept(_ listener: Int32) -> Int32? {
        let descriptor = Foundation.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        return descriptor
    }

    static func connect(to place: LoopbackEndpoint) -> Int32? {
        guard let descriptor = try? open(place) else { return nil }
        let result = try? withAddress(of: place) { Foundation.connect(descriptor, $0, $1) }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Sends the bytes; returns whether all of them went.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, noSignal)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    static func close(_ descriptor: Int32) { _ = Foundation.close(descriptor) }

    private static func open(_ place: LoopbackEndpoint) throws -> Int32 {
        let family = if case .port = place { AF_INET } else { AF_UNIX }
        let descriptor = socket(family, stream, 0)
        guard descriptor >= 0 else { throw Failed() }
        prepare(descriptor)
        return descriptor
    }

    /// Keeps the socket from children, and makes it send at once.
    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(4))
    }

    private static func port(of descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0 else { throw Failed() }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func withAddress(
        of place: LoopbackEndpoint, _ work: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        switch place {
        case .port(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            return withGeneral(address, work)
        case .path(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
                throw Failed(code: ENAMETOOLONG)
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            return withGeneral(address, work)
        }
    }

    private static func withGeneral<Address>(
        _ address: Address, _ work: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                work($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
