import BrowserModel
import CWebKit
import CWebKitGTK
import EngineConformance
import Foundation
import GTKSupport
import WebKitGTKEngine

/// The WebKitGTK binding for the suite of engines. Each view has its own window.
final class WebKitSubject: EngineSubject {
    let clock: any Clock<Duration> = ContinuousClock()
    private let folder: String
    private let server: String

    init(folder: String, server: String) {
        (self.folder, self.server) = (folder, server)
    }

    func makeEngine() -> WebKitEngine {
        let engine = WebKitEngine(folder: folder)
        engine.onView = { view in
            let (window, box) = (gtk_window_new(), gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            gtk_window_set_default_size(cast(window), 600, 400)
            gtk_window_set_child(cast(window), box)
            gtk_box_append(cast(box), view.widget)
            gtk_window_present(cast(window))
        }
        return engine
    }

    func address(of page: TestPage) -> String {
        switch page {
        case .tall(let number): "\(server)/tall/\(number)"
        case .longTitle: "\(server)/script/title"
        case .download: "\(server)/file/1"
        case .redirectLoop: "\(server)/loop/1"
        case .unreachable: "\(server)/silence"
        case .endless: "\(server)/endless"
        }
    }

    func wait(until condition: () -> Bool) async {
        for _ in 0..<250 where !condition() { await passTime(.milliseconds(20)) }
    }

    func passTime(_ duration: Duration) async {
        // waits: other processes draw and answer in their own time
        try? await Task.sleep(for: duration)
    }

    func makeLooseView(_ page: TestPage, with engine: WebKitEngine) async -> WebKitView? {
        let view = engine.makeLooseView()
        engine.load(address(of: page), in: view)
        for _ in 0..<100 where webkit_web_view_is_loading(view.web) != 0 {
            await passTime(.milliseconds(50))
        }
        return view
    }

    // MARK: The user and the page

    func scroll(_ view: WebKitView, of engine: WebKitEngine, to position: Int) async {
        _ = await view.evaluate("window.scrollTo(0, \(position))")
        view.page?.stateMayHaveChanged()
    }

    func scrollPosition(_ view: WebKitView) async -> Int? {
        await passTime(.milliseconds(100))
        return await view.evaluate("Math.round(scrollY)").flatMap { Int($0) }
    }

    func setCookie(_ cookie: String, in view: WebKitView, of engine: WebKitEngine) async {
        _ = await view.evaluate("document.cookie = '\(cookie)'")
    }

    func cookies(in view: WebKitView, of engine: WebKitEngine) async -> String {
        await view.evaluate("document.cookie") ?? ""
    }

    func push(
        _ addresses: [String], in view: WebKitView, of engine: WebKitEngine
    ) async -> Int {
        let list = addresses.map { "'\($0)'" }.joined(separator: ",")
        let count = await view.evaluate(
            """
            let pushed = 0;
            try { for (const a of [\(list)]) { history.pushState(0, '', a); pushed++ } } catch (e) {}
            pushed
            """)
        return count.flatMap { Int($0) } ?? 0
    }

    func openPopups(_ pages: [TestPage], from view: WebKitView, of engine: WebKitEngine) async {
        let list = pages.map { "'\(address(of: $0))'" }.joined(separator: ",")
        _ = await view.evaluate("for (const a of [\(list)]) window.open(a)")
    }

    func isOpener(_ view: WebKitView, of other: WebKitView) async -> Bool? {
        guard let here = await view.evaluate("location.href") else { return nil }
        return await other.evaluate("opener ? opener.location.href : ''") == here
    }

    func endProcess(of view: WebKitView, of engine: WebKitEngine) async -> Bool {
        webkit_web_view_terminate_web_process(view.web)
        return true
    }

    func hang(_ view: WebKitView, of engine: WebKitEngine) async -> Bool {
        _ = await view.evaluate("setTimeout(() => { for (;;) {} }, 0)")
        return true
    }
}
