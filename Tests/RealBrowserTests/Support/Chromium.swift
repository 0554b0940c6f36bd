import Foundation

/// A Chromium without a display, driven through the pipe form of its DevTools protocol.
final class Chromium {
    private let process: BrowserProcess
    private var reader: MessageReader
    private var lastID = 0

    init(_ browser: InstalledBrowser, profile: String, restoring: Bool = false) throws {
        var arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update",
            "--user-data-dir=\(profile)", "--remote-debugging-pipe",
        ]
        arguments.append(restoring ? "--restore-last-session" : "about:blank")
        process = try BrowserProcess(browser, arguments, asDescriptors3And4: true)
        reader = MessageReader(process.output.fileHandleForReading)
        try call("Target.setDiscoverTargets", ["discover": true])
    }

    /// Ends as a user ends it.
    func quit() throws {
        try call("Browser.close")
        process.waitUntilEnd()
    }

    func kill() { process.kill() }

    // MARK: Tabs

    /// Opens a tab, in a window of its own or the last one, and loads pages in it one after another.
    func open(_ addresses: [String], inNewWindow: Bool = false) throws -> String {
        let made = try call(
            "Target.createTarget", ["url": "about:blank", "newWindow": inNewWindow])
        let target = try text(made["targetId"])
        let session = try attach(target)
        try call("Page.enable", [:], session)
        for address in addresses {
            try call("Page.navigate", ["url": address], session)
            try wait(for: "Page.loadEventFired", session)
        }
        return session
    }

    /// The addresses and titles of a tab's history, and where it stands.
    func history(_ session: String) throws -> (urls: [String], titles: [String], index: Int) {
        let answer = try call("Page.getNavigationHistory", [:], session)
        let entries = answer["entries"] as? [[String: Any]] ?? []
        return (
            entries.compactMap { $0["url"] as? String },
            entries.compactMap { $0["title"] as? String },
            answer["currentIndex"] as? Int ?? -1
        )
    }

    func go(to index: Int, _ session: String) throws {
        let answer = try call("Page.getNavigationHistory", [:], session)
        let entries = answer["entries"] as? [[String: Any]] ?? []
        guard entries.indices.contains(index), let id = entries[index]["id"] as? Int else {
            throw BrowserFailure("the tab has no entry \(index)")
        }
        events.removeAll { $0["method"] as? String == "Page.frameNavigated" }
        try call("Page.navigateToHistoryEntry", ["entryId": id], session)
        // From a page that is kept whole there is no load.
        try wait(for: "Page.frameNavigated", session)
    }

    /// The histories of all tabs by the address that they show, once there are so many of them.
    func histories(of count: Int) throws -> [String: (urls: [String], index: Int)] {
        var histories: [String: (urls: [String], index: Int)] = [:]
        for target in try tabs(count) {
            let (urls, _, index) = try history(try attach(target))
            histories[urls.indices.contains(index) ? urls[index] : "?"] = (urls, index)
        }
        return histories
    }

    /// The targets of all tabs with a page of the server, once there are so many of them.
    func tabs(_ count: Int) throws -> [String] {
        // Each turn waits for news of a target.
        while true {
            let answer = try call("Target.getTargets")
            let tabs = (answer["targetInfos"] as? [[String: Any]] ?? []).filter {
                $0["type"] as? String == "page" && ($0["url"] as? String ?? "").hasPrefix("http")
            }
            if tabs.count >= count { return try tabs.map { try text($0["targetId"]) } }
            try wait(for: "Target.targetInfoChanged", nil)
        }
    }

    private func attach(_ target: String) throws -> String {
        let answer = try call("Target.attachToTarget", ["targetId": target, "flatten": true])
        return try text(answer["sessionId"])
    }

    // MARK: Messages

    /// Events that came while something else was waited for.
    private var events: [[String: Any]] = []

    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:], _ session: String? = nil) throws
        -> [String: Any]
    {
        lastID += 1
        var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
        message["sessionId"] = session
        let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
        try process.input.fileHandleForWriting.write(contentsOf: bytes)
        while true {
            let answer = try next()
            guard answer["id"] as? Int == lastID else {
                events.append(answer)
                continue
            }
            if let error = answer["error"] { throw BrowserFailure("\(method): \(error)") }
            return answer["result"] as? [String: Any] ?? [:]
        }
    }

    /// Takes the first event of a kind, now or when it comes.
    func wait(for event: String, _ session: String?) throws {
        func isIt(_ message: [String: Any]) -> Bool {
            message["method"] as? String == event
                && (session == nil || message["sessionId"] as? String == session)
        }
        if let index = events.firstIndex(where: isIt) {
            events.remove(at: index)
            return
        }
        while true {
            let message = try next()
            if isIt(message) { return }
            events.append(message)
        }
    }

    private func next() throws -> [String: Any] {
        let data = try reader.read(until: 0)
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private func text(_ value: Any?) throws -> String {
        guard let text = value as? String else { throw BrowserFailure("an answer lacks its name") }
        return text
    }
}
