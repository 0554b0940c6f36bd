import BrowserModel
import BrowserSessions
import CWebKit
import CWebKitGTK
import GLibActor

/// Shows a window's list of tabs as a notebook, and tells the list what the user does with it.
@GLibActor
final class TabStrip: @GLibActor TabListObserver {
    let widget = gtk_notebook_new()
    private let list: TabList
    private let engine: WebKitEngine
    /// Called when the active tab is another one, or has changed.
    private let onChange: @GLibActor () -> Void
    private var pages: [TabID: (box: Widget?, label: Widget?)] = [:]
    /// Whether what the notebook does is what the list has told it.
    private var isMirroring = false

    init(_ list: TabList, _ engine: WebKitEngine, onChange: @escaping @GLibActor () -> Void) {
        (self.list, self.engine, self.onChange) = (list, engine, onChange)
        gtk_notebook_set_scrollable(notebook, 1)
        list.addObserver(self)
        mirror { fill() }
        connect(widget, "notify::page") { [weak self] _ in self?.userSelected() }
        connect(widget, "page-reordered") { [weak self] in self?.userMoved($0) }
    }

    private var notebook: OpaquePointer? { widget.map { OpaquePointer($0) } }

    // MARK: The user

    private func userSelected() {
        let index = Int(gtk_notebook_get_current_page(notebook))
        guard !isMirroring, list.indices.contains(index) else { return }
        try? list.activate(list[index])
    }

    private func userMoved(_ box: Widget?) {
        guard !isMirroring, let tab = list.first(where: { pages[$0.id]?.box == box }) else {
            return
        }
        _ = try? list.move(tab, to: Int(gtk_notebook_page_num(notebook, box)))
        // The list may know better, as of pinned tabs.
        mirror { if let index = list.index(of: tab) { place(tab, at: index) } }
    }

    // MARK: The list

    func tabList(_ list: TabList, did change: TabListChange) {
        mirror { follow(change) }
        onChange()
    }

    private func mirror(_ work: () -> Void) {
        let outer = isMirroring
        isMirroring = true
        work()
        isMirroring = outer
    }

    private func follow(_ change: TabListChange) {
        switch change {
        case .inserted(let tab, let index): insert(tab, at: index)
        case .restored: fill()
        case .removed(let removal): remove(removal.tab)
        case .replaced(let removal, let tab):
            remove(removal.tab)
            insert(tab, at: removal.index)
        case .moved(let tab, _, let index): place(tab, at: index)
        case .attributesChanged(let tab, _): showLabel(of: tab)
        case .groupChanged(let group):
            for tab in list where tab.group == group { showLabel(of: tab) }
        case .activated(let tab, _): if let tab { select(tab) }
        case .tab(let tab, .realized): showPage(of: tab)
        case .tab(let tab, .navigated), .tab(let tab, .detailsChanged),
            .tab(let tab, .loadingChanged):
            showLabel(of: tab)
        case .tab, .renumbered, .batchBegan, .batchEnded: break
        }
    }

    private func fill() {
        for (index, tab) in list.enumerated() where pages[tab.id] == nil { insert(tab, at: index) }
        if let tab = list.activeTab { select(tab) }
    }

    private func insert(_ tab: Tab, at index: Int) {
        let (box, label) = (gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), gtk_label_new(""))
        pages[tab.id] = (box, label)
        gtk_label_set_max_width_chars(label.map { OpaquePointer($0) }, 24)
        gtk_label_set_ellipsize(label.map { OpaquePointer($0) }, PANGO_ELLIPSIZE_END)
        gtk_notebook_insert_page(notebook, box, label, Int32(clamping: index))
        gtk_notebook_set_tab_reorderable(notebook, box, 1)
        showLabel(of: tab)
        showPage(of: tab)
    }

    private func remove(_ tab: Tab) {
        guard let box = pages.removeValue(forKey: tab.id)?.box else { return }
        gtk_notebook_remove_page(notebook, gtk_notebook_page_num(notebook, box))
    }

    private func place(_ tab: Tab, at index: Int) {
        gtk_notebook_reorder_child(notebook, pages[tab.id]?.box, Int32(clamping: index))
    }

    private func select(_ tab: Tab) {
        guard let box = pages[tab.id]?.box else { return }
        gtk_notebook_set_current_page(notebook, gtk_notebook_page_num(notebook, box))
    }

    private func showPage(of tab: Tab) {
        guard let box = pages[tab.id]?.box, let view = engine.view(of: tab)?.widget,
            gtk_widget_get_parent(view) == nil
        else { return }
        gtk_box_append(cast(box), view)
    }

    private func showLabel(of tab: Tab) {
        gtk_label_set_text(pages[tab.id]?.label.map { OpaquePointer($0) }, tab.label(in: list))
    }
}

extension Tab {
    /// What the strip says: its title, pin, group, and whether its page is there.
    func label(in list: TabList) -> String {
        let name = title.isEmpty ? url.isEmpty ? "New tab" : url : title
        let group = group.flatMap { list.group($0) }.map { "[\($0.title)] " } ?? ""
        let load =
            switch pageLoad {
            case .none: ""
            case .loading: "… "
            case .failed: "failed: "
            case .crashed: "crashed: "
            case .becameDownload: "downloaded: "
            }
        return (isPinned ? "• " : "") + group + load + name
    }
}
