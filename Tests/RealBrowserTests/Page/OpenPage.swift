import BrowserDriving
import BrowserSessions
import Foundation
import SessionSamples
import TestSupport

@testable import SessionInterop

/// The page of an export, open in a Chromium of its own.
///
/// It notes what must not happen: errors of the page's script, and whatever its policy had to stop.
final class OpenPage {
    static let desktop = (width: 1440, height: 900)
    static let phone = (width: 360, height: 740)

    private let folder = TemporaryFolder()
    private let browser: BrowserDriving.Chromium
    private let session: String

    /// - Parameter size: of what is seen, in CSS pixels.
    init(
        _ sessions: [SessionSnapshot], title: String = "Sessions", losses: [String] = [],
        size: (width: Int, height: Int) = OpenPage.desktop, isDark: Bool = false
    ) throws {
        let path = folder.file("sessions.html")
        let bytes = pageBytes(
            of: sessions, title: title, exportedAt: SessionSampler.now, losses: losses)
        try Data(bytes).write(to: URL(filePath: path))
        browser = try BrowserDriving.Chromium(profile: folder.file("profile"))
        let target = try browser.devTools.call(
            "Target.createTarget", ["url": "about:blank"], as: Created.self)
        session = try browser.devTools.attach(to: target.targetId)
        try call("Page.enable")
        try call("Page.addScriptToEvaluateOnNewDocument", ["source": .text(Self.noting)])
        try call("Emulation.setTimezoneOverride", ["timezoneId": "UTC"])
        try resize(to: size)
        try colours(areDark: isDark)
        try call("Page.navigate", ["url": .text("file://" + path)])
        try run(
            """
            new Promise(resolve => document.readyState === "complete"
                ? resolve() : addEventListener("load", () => resolve()))
            """)
        try waitUntilStable()
    }

    /// Before its folder goes, into which it would write again.
    deinit { browser.kill() }

    private static let noting = """
        globalThis.noted = [];
        addEventListener("error", event => noted.push(`error: ${event.message}`));
        addEventListener("unhandledrejection", event => noted.push(`rejected: ${event.reason}`));
        addEventListener("securitypolicyviolation", event =>
            noted.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`));
        """

    /// What happened that must not; asking for something over the network is among it.
    func noted() throws -> [String] {
        try value(
            "noted.concat(performance.getEntriesByType('resource').map(each => each.name))")
    }

    @discardableResult
    func call(_ method: String, _ parameters: [String: DevToolsValue] = [:]) throws
        -> DevToolsNothing
    {
        try browser.devTools.call(method, parameters, session: session)
    }

    /// What an expression comes to.
    func value<Value: Decodable>(_ expression: String, as type: Value.Type = Value.self) throws
        -> Value
    {
        try browser.devTools.evaluate(expression, session: session)
    }

    /// Evaluates what has no value.
    func run(_ expression: String) throws {
        _ = try value("(async () => { await (\(expression)); return true; })()", as: Bool.self)
    }

    /// Returns when what was changed has been painted.
    func waitUntilStable() throws {
        try run(
            "new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    }

    func resize(to size: (width: Int, height: Int)) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(size.width), "height": .number(size.height),
                "deviceScaleFactor": 1, "mobile": .flag(size.width < 500),
            ])
    }

    func colours(areDark: Bool) throws {
        try call(
            "Emulation.setEmulatedMedia",
            [
                "media": "",
                "features": [
                    ["name": "prefers-color-scheme", "value": areDark ? "dark" : "light"]
                ],
            ])
    }

    func print(_ isPrinted: Bool) throws {
        try call("Emulation.setEmulatedMedia", ["media": isPrinted ? "print" : ""])
        try waitUntilStable()
    }

    private struct Created: Decodable { var targetId: String }
}

// MARK: - What people do and see

extension OpenPage {
    /// Presses a key as it is named: `j`, `Enter`, `ArrowDown`.
    func press(_ keys: String...) throws {
        for key in keys {
            let text = key == "Enter" ? "\r" : key
            let code =
                Self.codes[key] ?? key.uppercased().unicodeScalars.first.map { Int($0.value) }
            let isText = key.count == 1 || key == "Enter"
            var parameters: [String: DevToolsValue] = [
                "type": isText ? "keyDown" : "rawKeyDown", "key": .text(key),
                "windowsVirtualKeyCode": .number(code ?? 0),
            ]
            if isText { parameters["text"] = .text(text) }
            try call("Input.dispatchKeyEvent", parameters)
            try call("Input.dispatchKeyEvent", ["type": "keyUp", "key": .text(key)])
        }
        try waitUntilStable()
    }

    private static let codes = [
        "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
        "ArrowDown": 40,
        "Home": 36, "End": 35, "PageDown": 34, "PageUp": 33, "Tab": 9,
    ]

    /// Types a search, letter by letter, instead of the one before.
    func search(_ text: String) throws {
        try run("(query => { query.focus(); query.select(); })(document.getElementById('query'))")
        if text.isEmpty { return try press("Escape") }
        for character in text { try call("Input.insertText", ["text": .text(String(character))]) }
        try waitUntilStable()
    }

    func sort(by order: String) throws {
        try run("document.querySelector('#order [value=\(order)]').click()")
        try waitUntilStable()
    }

    /// The titles of the tabs that can be seen or nearly, in their order.
    func titles() throws -> [String] {
        try texts(".roll > .tab > .line .name > bdi")
    }

    /// The texts of elements.
    func texts(_ selector: String) throws -> [String] {
        try value("[...document.querySelectorAll(`\(selector)`)].map(each => each.textContent)")
    }

    func count(_ selector: String) throws -> Int {
        try value("document.querySelectorAll(`\(selector)`).length")
    }

    /// The title of the row that has the focus; empty if none has.
    func focused() throws -> String {
        try value(
            """
            (document.activeElement.closest('.roll > li')
                ?.querySelector('.name > bdi, .pill')?.textContent ?? '')
            """)
    }

    /// How far the page reaches beyond the right edge of the window.
    func overflow() throws -> Int {
        try value(
            """
            Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth
            """)
    }
}

/// Returns the whole page of sessions, in their order.
func pageBytes(
    of sessions: [SessionSnapshot], title: String, exportedAt: Timestamp,
    losses: [String] = []
) -> [UInt8] {
    var page = HTMLPage(title: title, exportedAt: exportedAt, losses: losses)
    for session in sessions {
        var exported = ExportedSession(
            session.id, session.attributes, FlatTabList(session), place: nil, isSpace: false)
        var counts = ExportLosses(format: .html)
        for tab in session.tabs {
            exported.add(tab, isDamaged: false, for: .html, &counts)
        }
        page.add(exported)
    }
    return page.finish()
}
