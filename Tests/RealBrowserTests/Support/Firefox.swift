import Foundation

/// A Firefox without a display, driven through Marionette: its scripts run with the browser's own
/// rights and ask its session store.
final class Firefox {
    private let process: BrowserProcess
    private let socket: FileHandle
    private var reader: MessageReader
    private var lastID = 0

    init(_ browser: InstalledBrowser, profile: String) throws {
        let settings = """
            user_pref("browser.startup.page", 3);
            user_pref("marionette.port", 0);
            user_pref("browser.sessionstore.resume_from_crash", true);
            user_pref("browser.shell.checkDefaultBrowser", false);
            user_pref("browser.aboutwelcome.enabled", false);
            user_pref("browser.tabs.groups.enabled", true);
            user_pref("datareporting.policy.dataSubmissionEnabled", false);
            user_pref("network.captive-portal-service.enabled", false);
            user_pref("network.connectivity-service.enabled", false);

            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: profile + "/user.js"))
        process = try BrowserProcess(
            browser,
            [
                "--headless", "--profile", profile, "-marionette", "-remote-allow-system-access",
            ], asDescriptors3And4: false)
        // It says where it listens.
        var output = MessageReader(process.output.fileHandleForReading)
        var port: UInt16?
        while port == nil {
            let line = String(decoding: try output.read(until: UInt8(ascii: "\n")), as: UTF8.self)
            port =
                line.contains("Listening on port")
                ? line.split(separator: " ").last.flatMap { UInt16($0) } : nil
        }
        socket = try Self.connect(to: port ?? 0)
        reader = MessageReader(socket)
        // Nobody else reads what it says, and it must not wait for that.
        process.output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
        _ = try receive()
        try call("WebDriver:NewSession", [:])
        try call("Marionette:SetContext", ["value": "chrome"])
        try run("await SessionStore.promiseAllWindowsRestored;")
    }

    private static func connect(to port: UInt16) throws -> FileHandle {
        let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var there = sockaddr_in()
        there.sin_family = sa_family_t(AF_INET)
        there.sin_port = port.bigEndian
        there.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &there) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, size) == 0
            }
        }
        guard isConnected else { throw BrowserFailure("Firefox does not listen on port \(port)") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func quit() throws {
        try call("Marionette:Quit", ["flags": ["eAttemptQuit"]])
        process.waitUntilEnd()
    }

    func kill() { process.kill() }

    /// Runs a script that may wait, in a browser window; what it returns is JSON.
    @discardableResult
    func run(_ script: String) throws -> Any? {
        let body = """
            let [done] = Array.from(arguments).slice(-1);
            (async () => { \(script) })().then(value => done(JSON.stringify({ value })),
                error => done(JSON.stringify({ error: String(error) + error.stack })));
            """
        let answer = try call(
            "WebDriver:ExecuteAsyncScript", ["script": body, "args": [], "scriptTimeout": 90_000])
        let text = (answer as? [String: Any])?["value"] as? String ?? "{}"
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        if let error = object?["error"] { throw BrowserFailure("\(error)") }
        return object?["value"]
    }

    /// What its session store has at this moment, as the file that it would write.
    func state() throws -> [UInt8] {
        // What pages know is asked for first.
        let text = try run(
            """
            const { TabStateFlusher } = ChromeUtils.importESModule(
                "resource:///modules/sessionstore/TabStateFlusher.sys.mjs");
            for (let window of Services.wm.getEnumerator("navigator:browser"))
                await TabStateFlusher.flushWindow(window);
            return SessionStore.getBrowserState();
            """)
        guard let text = text as? String else { throw BrowserFailure("there is no state") }
        return Array(text.utf8)
    }

    // MARK: Messages

    @discardableResult
    private func call(_ command: String, _ parameters: [String: Any]) throws -> Any? {
        lastID += 1
        let body = try JSONSerialization.data(withJSONObject: [0, lastID, command, parameters])
        try socket.write(contentsOf: Data("\(body.count):".utf8) + body)
        let answer = try receive() as? [Any] ?? []
        guard answer.count == 4 else { throw BrowserFailure("\(command): no answer") }
        if let error = answer[2] as? [String: Any] { throw BrowserFailure("\(command): \(error)") }
        return answer[3]
    }

    private func receive() throws -> Any {
        let length = String(decoding: try reader.read(until: UInt8(ascii: ":")), as: UTF8.self)
        guard let count = Int(length) else { throw BrowserFailure("no length: \(length)") }
        return try JSONSerialization.jsonObject(with: try reader.read(count: count))
    }
}
