import BrowserModel
import BrowserSessions
import CWebKitGTK
import GTKSupport
import SessionRestoration
import WebKitGTKEngine

/// A window on the screen: an address bar, buttons, and the tabs of one window of the model, in a strip above
/// and as an outline beside the page.
@GLibActor
final class BrowserWindow: @GLibActor TabListObserver {
    let window: Window
    /// The spaces, which the profile's windows share.
    private let library: TabList
    let widget = gtk_window_new()
    private weak var browser: Browser?
    private let address = gtk_entry_new()
    let offer = gtk_button_new()
    private let strip: NotebookStrip
    let sidebar: Sidebar
    private let panes: PaneArea

    init(_ window: Window, _ browser: Browser) {
        self.window = window
        self.browser = browser
        strip = NotebookStrip(window.tabs)
        let windows = browser.profile.windows
        library = (window.isIncognito ? windows.incognito : windows).library
        panes = PaneArea(window, library, browser.engine)
        sidebar = Sidebar(window, library, panes)
        gtk_window_set_default_size(cast(widget), 900, 640)
        let content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        let middle = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        for part in [sidebar.widget, panes.widget] { gtk_box_append(cast(middle), part) }
        for part in [makeBar(), offer, strip.widget, middle] { gtk_box_append(cast(content), part) }
        gtk_window_set_child(cast(widget), content)
        connect(offer, "clicked") { [weak self] _ in self?.browser?.bringBackSetAside() }
        connect(widget, "close-request") { [weak self] _ in self?.browser?.close(window) }
        connect(widget, "notify::is-active") { [weak self] _ in self?.focusChanged() }
        for list in [library, window.tabs] { list.addObserver(self) }
        show()
        gtk_window_present(cast(widget))
        window.enterForeground()
    }

    /// Removes the window from the screen after the model has closed it.
    func close() {
        sidebar.stop()
        panes.stop()
        library.removeObserver(self)
        gtk_window_destroy(cast(widget))
    }

    private func makeBar() -> Widget? {
        let bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)
        button("go-previous-symbolic", "Back", in: bar) { [weak self] in self?.page?.goBack() }
        button("go-next-symbolic", "Forward", in: bar) { [weak self] in self?.page?.goForward() }
        button("view-refresh-symbolic", "Reload", in: bar) { [weak self] in self?.reload() }
        gtk_widget_set_hexpand(address, 1)
        gtk_box_append(cast(bar), address)
        connect(address, "activate") { [weak self] _ in self?.userEntered() }
        button("view-pin-symbolic", "Pin", in: bar) { [weak self] in self?.pin() }
        button("folder-new-symbolic", "New folder", in: bar) { [weak self] in self?.makeFolder() }
        button("view-dual-symbolic", "Split", in: bar) { [weak self] in self?.split() }
        button("view-app-grid-symbolic", "Space", in: bar) { [weak self] in self?.toggleSpace() }
        button("tab-new-symbolic", "New tab", in: bar) { [weak self] in self?.open() }
        button("window-close-symbolic", "Close tab", in: bar) { [weak self] in self?.closeTab() }
        button("edit-undo-symbolic", "Reopen what was closed", in: bar) { [weak self] in
            _ = try? self?.browser?.restorer.closed.reopenLast(in: self?.window)
        }
        button("window-new-symbolic", "New window", in: bar) { [weak self] in
            try? self?.browser?.openWindow()
        }
        button("changes-prevent-symbolic", "New private window", in: bar) { [weak self] in
            try? self?.browser?.openPrivateWindow()
        }
        return bar
    }

    // MARK: User actions

    private var tab: Tab? { window.tabOnScreen }
    private var page: WebPage? { tab?.page }

    private func userEntered() {
        let text = string(gtk_editable_get_text(address.map { OpaquePointer($0) }))
        let isAddress = text.contains("://") || text.hasPrefix("about:")
        guard let page else { return open(isAddress ? text : "https://\(text)") }
        page.load(isAddress ? text : "https://\(text)")
    }

    /// Reloads the page. A tab that came back without its page, a possible cause of a crash, gets it now.
    private func reload() {
        if let page { page.reload() } else if let tab { try? window.activate(tab) }
    }

    private func open(_ address: String = "about:blank") {
        _ = try? window.tabs.open(address)
    }

    private func pin() {
        guard let tab else { return }
        _ = try? tab.isPinned ? tab.list?.unpin(tab) : tab.list?.pin(tab)
    }

    /// Makes a folder of the tab.
    private func makeFolder() {
        guard let tab else { return }
        _ = try? tab.list?.create(.folder(name: "Folder"), of: [tab])
    }

    /// Makes a space of the tab and shows it; if the window shows a space, goes back to none.
    func toggleSpace() {
        if window.space != nil { try? window.show(nil) } else { makeSpace() }
    }

    private func makeSpace() {
        guard let tab, tab.list === window.tabs else { return }
        // A window without a tab of its own would close.
        if window.tabs.count == 1 { open() }
        let number = library.nodes.count { $0.kind == .space } + 1
        try? showSpace(.space(name: "Space \(number)"), with: tab)
    }

    private func showSpace(_ space: StructureNode, with tab: Tab) throws(TabListError) {
        try library.create(space)
        try window.tabs.transfer([NodeID(tab.id)], to: library, at: .inside(space.id))
        try window.show(space.id)
        try window.activate(tab)
    }

    /// Shows a tab of the window together with the one behind it.
    private func split() {
        let pair = window.tabs.drop { $0 !== tab }.prefix(2)
        _ = try? window.tabs.split(pair)
    }

    /// Closes the tab. If the page responds, asks it to agree first.
    func closeTab() {
        guard let tab else { return }
        if tab.pageLoad == .none, browser?.engine.view(of: tab)?.askToClose() == true { return }
        try? tab.list?.close(tab)
    }

    // MARK: Display

    func tabList(_ list: TabList, did change: TabListChange) {
        if window.tabs.isEmpty, list === window.tabs { browser?.closeIfEmpty(window) }
        if case .removed = change, list === library { Task { showOwn() } }
        show()
    }

    /// Shows the window's own tab that was used last, if that of the library on screen is gone.
    private func showOwn() {
        let lastUsed = window.tabs.max { $0.metadata.lastActiveAt < $1.metadata.lastActiveAt }
        if window.tabOnScreen == nil, let lastUsed { try? window.activate(lastUsed) }
    }

    /// Whether the view of a tab is in this window.
    func shows(_ tab: Tab) -> Bool { panes.hasView(of: tab) }

    private func focusChanged() {
        if gtk_window_is_active(cast(widget)) != 0 { panes.take() }
    }

    private func show() {
        let title = tab.map { $0.title.isEmpty ? $0.url : $0.title } ?? "Browser"
        gtk_window_set_title(cast(widget), window.isIncognito ? "\(title) (private)" : title)
        if gtk_widget_has_focus(address) == 0 {
            gtk_editable_set_text(address.map { OpaquePointer($0) }, tab?.url ?? "")
        }
        showOffer()
    }

    func showOffer() {
        let count = browser?.restorer.setAside.sessions.count ?? 0
        gtk_widget_set_visible(offer, count > 0 ? 1 : 0)
        gtk_button_set_label(cast(offer), "\(count) windows were set aside: bring them back")
    }
}
