import ChildProcesses
import Foundation
import TestSupport

/// Serves pages on loopback, with their names as titles. Each connection has a thread of its own.
public final class PageServer: Sendable {
    /// `http://127.0.0.1:PORT`
    public let address: String
    private let listener: Descriptor

    public init() throws {
        let (listener, port) = try Loopback.listen()
        self.listener = listener
        address = "http://127.0.0.1:\(port)"
        Thread.detachNewThread {
            while let connection = Loopback.accept(listener) {
                Thread.detachNewThread { Self.answer(connection) }
            }
        }
    }

    deinit { shutdown(listener.number, Int32(SHUT_RDWR)) }

    /// The address of the page with a name.
    public func page(_ name: String) -> String {
        let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        return "\(address)/\(encoded ?? "")"
    }

    private static func answer(_ connection: Descriptor) {
        var request: [UInt8] = []
        while !request.contains(UInt8(ascii: "\n")) {
            let more = connection.read()
            guard !more.isEmpty else { return }
            request += more
        }
        let words = String(decoding: request, as: UTF8.self).split(separator: " ")
        guard words.count > 1 else { return }
        let name = String(words[1].dropFirst()).removingPercentEncoding ?? ""
        // Chromium notes an entry when its page comes, before it has a title, and again when the
        // state of the page changes, which it does on nearly all pages of today.
        let body = """
            <!doctype html><meta charset=utf-8><title>\(name)</title>\(name)
            <script>history.replaceState(1, "")</script>
            """
        // No icon, so that browsers ask for the pages alone.
        let response =
            name == "favicon.ico"
            ? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            : "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        _ = connection.write(Array(response.utf8))
    }
}
