public import BrowserModel
import BrowserSessions
public import CWebKit
import CWebKitGTK
import GTKSupport

/// A WebKit view, which reports its events to the page of a tab.
public final class WebKitView {
    /// The WebKit view; `nil` only if it could not be created.
    public let web: UnsafeMutablePointer<WebKitWebView>?
    /// The tab's page; `nil` if no tab has adopted the view yet, or if its tab no longer exists.
    public internal(set) weak var page: WebPage?
    private weak var engine: WebKitEngine?
    private var isClosed = false

    init(_ web: UnsafeMutablePointer<WebKitWebView>?, _ page: WebPage?, _ engine: WebKitEngine) {
        self.web = web
        self.page = page
        self.engine = engine
        let callback: WKTell = { context, event, address, text in
            guard let context else { return nil }
            let view = Unmanaged<WebKitView>.fromOpaque(context).takeUnretainedValue()
            return view.hear(event, string(address), string(text))
        }
        wk_view_connect(web, callback, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// Closes the view. The widget that shows it loses it.
    func close() {
        if !isClosed { wk_view_close(web) }
        isClosed = true
    }

    /// The widget that a host puts into its window.
    public var widget: UnsafeMutablePointer<GtkWidget>? {
        web.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self) }
    }

    /// Asks the page to agree to be closed. It agrees with a request to close its tab. Returns
    /// `false`, without asking, if the page does not respond now.
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

// MARK: - History and state

extension WebKitView {
    var list: OpaquePointer? { webkit_web_view_get_back_forward_list(web) }

    /// The pages before and after the current one, as WebKit knows them.
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

    /// WebKit's serialized session state; `nil` if there is none.
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
