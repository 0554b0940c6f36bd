public import BrowserModel
import BrowserSessions
public import CWebKit
import CWebKitGTK
import GTKSupport

/// One view of WebKit and the page that is told what it does.
public final class WebKitView {
    /// The view of WebKit; `nil` only if it could not be made.
    public let web: UnsafeMutablePointer<WebKitWebView>?
    /// The page of the tab; `nil` for a view that no tab has adopted yet, or whose tab is gone.
    public internal(set) weak var page: WebPage?
    private weak var engine: WebKitEngine?
    private var isClosed = false

    init(_ web: UnsafeMutablePointer<WebKitWebView>?, _ page: WebPage?, _ engine: WebKitEngine) {
        self.web = web
        self.page = page
        self.engine = engine
        let told: WKTell = { context, event, address, text in
            guard let context else { return nil }
            let view = Unmanaged<WebKitView>.fromOpaque(context).takeUnretainedValue()
            return view.hear(event, string(address), string(text))
        }
        wk_view_connect(web, told, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// The view is no more; whoever shows it loses it.
    func close() {
        if !isClosed { wk_view_close(web) }
        isClosed = true
    }

    /// What a host puts into its window.
    public var widget: UnsafeMutablePointer<GtkWidget>? {
        web.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self) }
    }

    /// Asks the page whether it agrees to be closed; it answers with a request to close its tab.
    /// `false` if the page does not answer now, which then is not asked.
    public func askToClose() -> Bool {
        guard webkit_web_view_get_is_web_process_responsive(web) != 0 else { return false }
        webkit_web_view_try_close(web)
        return true
    }

    private func hear(_ event: WKEvent, _ address: String, _ text: String)
        -> UnsafeMutableRawPointer?
    {
        guard let page else { return nil }
        switch event {
        case .started: page.started(address)
        case .committed: page.committed()
        case .finished: page.finished()
        case .failed: page.failed(LoadFailure(address: address, message: text))
        case .download: page.becameDownload(address)
        case .title: page.titleChanged(text)
        case .history: page.historyChanged()
        case .touched: page.stateMayHaveChanged()
        case .acted:
            page.userActed()
            page.stateMayHaveChanged()
        case .crashed: page.processEnded()
        case .close: page.closeRequested()
        case .popup:
            return page.wantsPopup().flatMap { engine?.view(of: $0)?.widget }
                .map { UnsafeMutableRawPointer($0) }
        }
        return nil
    }
}

// MARK: - What it has

extension WebKitView {
    var list: OpaquePointer? { webkit_web_view_get_back_forward_list(web) }

    /// The pages before and after the one that is shown, as WebKit knows them.
    var history: NavigationHistory {
        var first: Int32 = 0
        while webkit_back_forward_list_get_nth_item(list, first - 1) != nil { first -= 1 }
        var history = NavigationHistory()
        var index = first
        while let item = webkit_back_forward_list_get_nth_item(list, index) {
            history.entries.append(
                NavigationEntry(
                    url: string(webkit_back_forward_list_item_get_uri(item)),
                    title: string(webkit_back_forward_list_item_get_title(item))))
            index += 1
        }
        history.currentIndex = history.entries.isEmpty ? nil : Int(-first)
        return history
    }

    /// WebKit's own bytes of all that.
    var state: [UInt8]? {
        guard let state = webkit_web_view_get_session_state(web) else { return nil }
        defer { webkit_web_view_session_state_unref(state) }
        guard let bytes = webkit_web_view_session_state_serialize(state) else { return nil }
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        let start = g_bytes_get_data(bytes, &count)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}
