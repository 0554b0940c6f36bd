public import BrowserModel
public import BrowserSessions
import CWebKit
import CWebKitGTK

/// WebKitGTK as the engine of tabs: everything that the host layer needs to know about it.
public final class WebKitEngine: WebEngine {
    public let nativeFormat = "webkitgtk-6.0"
    public let isolatesPages = true
    /// The time until WebKit's state has a new scroll position. WebKit takes a third of a second.
    public let stateDelay = Duration.milliseconds(400)
    private let folder: String
    private let settings = webkit_settings_new()
    private let session: OpaquePointer?
    /// The session that all private tabs share, from the first private view until the last tab is closed.
    private var privateSession: OpaquePointer?

    /// The function that is called with each new view.
    public var onView: (WebKitView) -> Void = { _ in }

    /// - Parameter folder: holds the cookies and caches of pages that are not private, and all
    ///   downloads.
    public init(folder: String) {
        self.folder = folder
        session = webkit_network_session_new("\(folder)/data", "\(folder)/cache")
        webkit_cookie_manager_set_persistent_storage(
            webkit_network_session_get_cookie_manager(session), "\(folder)/cookies.sqlite",
            WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
        g_mkdir_with_parents("\(folder)/downloads", 0o700)
        wk_session_download_into(session, "\(folder)/downloads")
        // The page's tab limits how many others it may open.
        webkit_settings_set_javascript_can_open_windows_automatically(settings, 1)
    }

    deinit {
        endPrivateSession()
        if let session { g_object_unref(UnsafeMutableRawPointer(session)) }
        if let settings { g_object_unref(UnsafeMutableRawPointer(settings)) }
    }

    /// Ends the session of the private tabs, and forgets their cookies.
    public func endPrivateSession() {
        if let privateSession { g_object_unref(UnsafeMutableRawPointer(privateSession)) }
        privateSession = nil
    }

    private func privateSessionInUse() -> OpaquePointer? {
        if privateSession == nil {
            privateSession = webkit_network_session_new_ephemeral()
            wk_session_download_into(privateSession, "\(folder)/downloads")
        }
        return privateSession
    }

    public func makeView(_ request: ViewRequest<WebKitView>) -> WebKitView {
        let view = connectedView(for: request)
        onView(view)
        return view
    }

    /// Returns a view that can load a page ahead of time, for a tab to adopt.
    public func makeLooseView() -> WebKitView {
        WebKitView(wk_view_new(session, nil, settings), nil, self)
    }

    private func connectedView(for request: ViewRequest<WebKitView>) -> WebKitView {
        switch request.reason {
        case .tab:
            let session = request.isIncognito ? privateSessionInUse() : session
            return WebKitView(wk_view_new(session, nil, settings), request.page, self)
        case .popup(let opener):
            return WebKitView(wk_view_new(nil, opener.web, settings), request.page, self)
        case .adopted(let view):
            view.page = request.page
            return view
        }
    }

    public func restore(_ state: TabState, in view: WebKitView) -> RestoreAnswer {
        guard let native = state.native else { return .refused }
        let bytes = g_bytes_new(native, gsize(native.count))
        defer { g_bytes_unref(bytes) }
        guard let saved = webkit_web_view_session_state_new(bytes) else { return .refused }
        defer { webkit_web_view_session_state_unref(saved) }
        webkit_web_view_restore_session_state(view.web, saved)
        guard let item = webkit_back_forward_list_get_current_item(view.list) else {
            return .refused
        }
        webkit_web_view_go_to_back_forward_list_item(view.web, item)
        return .loading
    }

    public func history(of view: WebKitView) -> NavigationHistory { view.history }

    public func capture(_ view: WebKitView) -> TabState {
        TabState(history: view.history, native: view.state)
    }

    public func flush(_ view: WebKitView) async {
        // No call requests the position. WebKit has it 0.3 s after the last scrolling.
        try? await Task.sleep(for: .milliseconds(320))  // waits: for the engine's own timer
    }

    public func load(_ address: String, in view: WebKitView) {
        webkit_web_view_load_uri(view.web, address)
    }
    public func reload(_ view: WebKitView) { webkit_web_view_reload(view.web) }
    public func discard(_ view: WebKitView) { view.close() }

    public func go(by steps: Int, in view: WebKitView) {
        if let item = webkit_back_forward_list_get_nth_item(view.list, Int32(clamping: steps)) {
            webkit_web_view_go_to_back_forward_list_item(view.web, item)
        }
    }
}
