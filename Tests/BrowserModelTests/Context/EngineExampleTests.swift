import BrowserModel
import BrowserSessions
import TestSupport
import Testing

final class MyEngine: WebEngine {
    let nativeFormat = "my-engine-1"

    func makeView(_ request: ViewRequest<MyView>) -> MyView {
        let view = MyView(isPrivate: request.isIncognito)
        let page = request.page
        view.onStart = { page.started($0) }
        view.onCommit = { page.committed() }
        view.onFinish = { page.finished() }
        view.onFailure = { page.failed(LoadFailure(address: $0, message: $1)) }
        view.onTitle = { page.titleChanged($0) }
        view.onScroll = { page.stateMayHaveChanged() }
        return view
    }

    func restore(_ state: TabState, in view: MyView) -> RestoreAnswer {
        guard let bytes = state.native, view.restore(bytes) else { return .refused }
        return .loading
    }

    func capture(_ view: MyView) -> TabState {
        TabState(history: view.history, native: view.sessionBytes)
    }

    func load(_ address: String, in view: MyView) { view.load(address) }
    func reload(_ view: MyView) { view.reload() }
    func go(by steps: Int, in view: MyView) { view.go(by: steps) }
}

/// What an engine's view has at least; it keeps one page.
final class MyView {
    let isPrivate: Bool
    var onStart: (String) -> Void = { _ in }
    var onCommit: () -> Void = {}
    var onFinish: () -> Void = {}
    var onFailure: (String, String) -> Void = { _, _ in }
    var onTitle: (String) -> Void = { _ in }
    var onScroll: () -> Void = {}
    private(set) var history = NavigationHistory()

    init(isPrivate: Bool) { self.isPrivate = isPrivate }

    var sessionBytes: [UInt8]? { history.currentIndex.map { Array(history.entries[$0].url.utf8) } }

    func restore(_ bytes: [UInt8]) -> Bool {
        load(String(decoding: bytes, as: UTF8.self))
        return true
    }

    func load(_ address: String) {
        onStart(address)
        guard address != "https://failing.example/" else { return onFailure(address, "no answer") }
        history = NavigationHistory(url: address, title: "")
        onCommit()
        onTitle("About \(address)")
        onFinish()
    }

    func reload() { history.entries.first.map { load($0.url) } }
    func go(by steps: Int) {}
}

/// The example of WebEngines.md.
struct EngineExampleTests {
    @Test func aHostsEngineMakesThePagesOfItsTabs() throws {
        let engine = MyEngine()
        let windows = WindowList(webEngine: engine)
        let tab = try windows.incognito.open().tabs.open("https://a.example/")
        let view = try #require(engine.view(of: tab))
        #expect(view.isPrivate && tab.title == "About https://a.example/")
        tab.page?.load("https://failing.example/")
        #expect(tab.url == "https://a.example/")
        let failure = LoadFailure(address: "https://failing.example/", message: "no answer")
        #expect(tab.pageLoad == .failed(failure))
        tab.page?.reload()
        #expect(tab.pageLoad == .none)
    }

    @Test func itsBytesHaveTheNameOfTheirFormatAndNoOtherEngineGetsThem() async throws {
        let windows = WindowList(webEngine: MyEngine())
        let list = try windows.incognito.open().tabs
        var state = try #require(try list.open("https://a.example/").page).captureState()
        #expect(state.native == Array("https://a.example/".utf8))
        #expect(state.nativeFormat == "my-engine-1")
        for (format, host) in [("my-engine-1", "a"), ("other", "b")] {
            state.nativeFormat = format
            state.history = NavigationHistory(url: "https://b.example/", title: "")
            let tab = Tab.unrealized("b", HeldTabState(state))
            try list.insert(tab)
            try await tab.forceRealization()
            #expect(tab.url == "https://\(host).example/")
        }
    }
}
