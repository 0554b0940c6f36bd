import ChildProcesses
import Foundation
import TestSupport

/// TCP on 127.0.0.1.
enum Loopback {
    /// A socket that listens at a free port.
    static func listen() throws -> (Descriptor, port: UInt16) {
        let listener = try stream()
        let port = try withAddress(port: 0) { address, size in
            guard bind(listener.number, address, size.pointee) == 0,
                Foundation.listen(listener.number, 64) == 0,
                getsockname(listener.number, address, size) == 0
            else { throw DrivingError("cannot listen: \(String(cString: strerror(errno)))") }
        }
        return (listener, port)
    }

    static func connect(to port: UInt16) throws -> Descriptor {
        let connection = try stream()
        _ = try withAddress(port: port) { address, size in
            guard Foundation.connect(connection.number, address, size.pointee) == 0 else {
                throw DrivingError("no connection to \(port): \(String(cString: strerror(errno)))")
            }
        }
        return connection
    }

    /// The next connection; `nil` when the listener is shut down.
    static func accept(_ listener: Descriptor) -> Descriptor? {
        let number = Foundation.accept(listener.number, nil, nil)
        return number < 0 ? nil : try? Descriptor(number)
    }

    private static func stream() throws -> Descriptor {
        #if canImport(Darwin)
            try Descriptor(socket(AF_INET, SOCK_STREAM, 0))
        #else
            try Descriptor(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        #endif
    }

    /// The port of the address as the body left it.
    private static func withAddress(
        port: UInt16,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) throws -> Void
    ) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
