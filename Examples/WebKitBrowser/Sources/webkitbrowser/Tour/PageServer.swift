import Foundation

/// A server for the tour's pages on loopback. Each connection has its own thread.
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
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isOpen else { throw CocoaError(.fileReadUnknown) }
        address = "http://127.0.0.1:\(UInt16(bigEndian: here.sin_port))"
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                Thread.detachNewThread { Self.answer(connection) }
            }
        }
    }

    private static func answer(_ connection: Int32) {
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { return }
        let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
        guard words.count > 1 else { return }
        var rest = Array(response(to: String(words[1])).utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
        // waits: a page that never finishes loading
        if words[1] == "/endless" { Thread.sleep(forTimeInterval: 60) }
    }

    private static func response(to path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        let name = parts.count > 1 ? parts[1] : ""
        switch parts.first {
        case "tall": return page("Tall page \(name)", lines(Int(name) ?? 0))
        case "page": return page("Page \(name)", lines(Int(name) ?? 0))
        case "cookie":
            return page(
                "Cookie \(name)", lines(7), "Set-Cookie: \(name)=yes; Max-Age=99999; Path=/\r\n")
        case "file":
            return http(
                "200 OK", "Content-Disposition: attachment; filename=\"file.txt\"\r\n",
                "saved by the browser", "text/plain")
        case "silence": return ""
        case "endless":
            let whole = page("Endless", lines(1))
            return whole.replacing("Content-Length: ", with: "Content-Length: 9")
        case "loop": return http("302 Found", "Location: \(path)\r\n", "")
        case "script": return page("Script \(name)", scripts[name] ?? "")
        default: return http("404 Not Found", "", "There is no such page.")
        }
    }

    /// Scripts of misbehaving pages, which must not harm a browser.
    private static let scripts = [
        "hang":
            "<script>setTimeout(() => { document.title = 'Hangs' }, 100); "
            + "setTimeout(() => { for (;;) {} }, 500)</script>",
        "popups": "<script>for (let n = 0; n < 50; n++) window.open('/page/' + n)</script>",
        "title": "<script>document.title = 'A\\n\\u0007B ' + 'x'.repeat(1 << 20)</script>",
        "leave": "<script>onbeforeunload = () => { localStorage.left = 'yes' }</script>",
        "push": """
        <script>for (let n = 0; n < 10000; n++) {
            try { history.pushState(n, '', '/script/push?' + n) } catch (error) {
                document.title = 'Pushed ' + n; break } }</script>
        """,
    ]

    private static func lines(_ number: Int) -> String {
        let color = "hsl(\(number * 67 % 360), 70%, 90%)"
        return "<style>body { background: \(color); font: 20px sans-serif; margin: 30px }"
            + " p { height: 40px; margin: 0 }</style><h1>Page \(number)</h1>"
            + (1...200).map { "<p>Line \($0) of page \(number)</p>" }.joined()
    }

    private static func page(_ title: String, _ body: String, _ headers: String = "") -> String {
        http(
            "200 OK", headers, "<!doctype html><meta charset=utf-8><title>\(title)</title>\(body)",
            "text/html; charset=utf-8")
    }

    private static func http(
        _ status: String, _ headers: String, _ body: String, _ type: String = "text/plain"
    ) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Cache-Control: no-store\r\n\(headers)Connection: close\r\n\r\n\(body)"
    }
}
