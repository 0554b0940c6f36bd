import BrowserModel
import BrowserSessions
import EngineConformance
import SessionTesting
import TestSupport

/// The simulated engine. The suite moves its time.
final class SimulatedSubject: EngineSubject {
    let time = ManualClock()
    let web = SimulatedWeb()
    private let fault: EngineFault?
    private var engine: SimulatedEngine?

    init(fault: EngineFault? = nil) {
        self.fault = fault
        for page in [TestPage.longTitle, .download, .redirectLoop, .unreachable, .endless] {
            web.answers[address(of: page)] = answer(page)
        }
        for number in 0..<200 {
            let page = TestPage.tall(number)
            web.answers[address(of: page)] = .page(title: page.title)
        }
    }

    private func answer(_ page: TestPage) -> SimulatedWeb.Answer {
        switch page {
        case .tall: .page(title: page.title)
        case .longTitle:
            .page(title: "\u{1B}[31m" + String(repeating: "long\n", count: 200_000))
        case .download: .download
        case .redirectLoop: .redirect(address(of: .redirectLoop))
        case .unreachable: .failure("nothing answers")
        case .endless: .endless(title: "endless")
        }
    }

    var clock: any Clock<Duration> { time }

    func makeEngine() -> SimulatedEngine {
        let engine = SimulatedEngine(web, fault: fault)
        self.engine = engine
        return engine
    }

    func address(of page: TestPage) -> String {
        switch page {
        case .tall(let number): "https://tall.example/\(number)"
        default: "https://\(page).example/"
        }
    }

    /// What goes on by itself goes on until nothing is left; a condition that does not hold then
    /// will not.
    func wait(until condition: () -> Bool) async {
        engine?.runUntilIdle()
    }

    func passTime(_ duration: Duration) async {
        engine?.runUntilIdle()
        engine?.noticeEverything()
        time.advance(by: duration)
        engine?.runUntilIdle()
    }

    func makeLooseView(_ page: TestPage, with engine: SimulatedEngine) async -> SimulatedView? {
        let view = engine.makeView()
        engine.load(address(of: page), in: view)
        engine.runUntilIdle()
        return view
    }

    func scroll(_ view: SimulatedView, of engine: SimulatedEngine, to position: Int) async {
        engine.scroll(view, to: position)
    }

    func scrollPosition(_ view: SimulatedView) async -> Int? { view.scroll }

    func setCookie(_ cookie: String, in view: SimulatedView, of engine: SimulatedEngine) async {
        engine.setCookie(cookie, in: view)
    }

    func cookies(in view: SimulatedView, of engine: SimulatedEngine) async -> String {
        engine.cookies(in: view).joined(separator: "; ")
    }

    /// Several times as many as its history holds; at night all.
    func push(
        _ addresses: [String], in view: SimulatedView, of engine: SimulatedEngine
    ) async -> Int {
        let pushed = addresses.prefix(TestRun.amount(500, nightly: .max))
        for address in pushed { engine.push(address, in: view) }
        return pushed.count
    }

    func openPopups(_ pages: [TestPage], from view: SimulatedView, of engine: SimulatedEngine) async
    {
        for page in pages { _ = engine.openPopup(address(of: page), from: view) }
    }

    func isOpener(_ view: SimulatedView, of other: SimulatedView) async -> Bool? {
        other.opener === view
    }

    func endProcess(of view: SimulatedView, of engine: SimulatedEngine) async -> Bool {
        engine.endProcess(of: view)
        return true
    }

    func hang(_ view: SimulatedView, of engine: SimulatedEngine) async -> Bool {
        engine.hang(view)
        return true
    }
}
