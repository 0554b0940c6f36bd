import Foundation

/// Serves pages on loopback: the title of each is the last part of its address.
struct PageServer {
    let address: String

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var here = sockaddr_in()
        here.sin_family = sa_family_t(AF_INET)
        here.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &here) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isOpen else { throw BrowserFailure("no port of loopback can be listened to") }
        address = "http://127.0.0.1:\(UInt16(bigEndian: here.sin_port))/"
        Thread.detachNewThread {
            while true {
                // waits: each turn blocks in accept
                let connection = accept(listener, nil, nil)
                if connection >= 0 { Thread.detachNewThread { Self.answer(connection) } }
            }
        }
    }

    /// The address of the page with a title.
    func page(_ title: String) -> String {
        address + (title.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? title)
    }

    private static func answer(_ connection: Int32) {
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { return }
        let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
        let path = words.count > 1 ? String(words[1].dropFirst()) : ""
        let title = path.removingPercentEncoding ?? path
        let body = "<!doctype html><meta charset=utf-8><title>\(title)</title><h1>\(title)</h1>"
        var rest = Array(
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body).utf8)[
                ...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
