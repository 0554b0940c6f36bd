import BrowserModel
import BrowserSessions
import CWebKitGTK
import GTKSupport

/// The tabs of a window as the pages of a notebook. Each page has a label, and is empty: the views are in a
/// ``PaneArea``, which can show several.
@GLibActor
final class NotebookStrip: @GLibActor TabStrip {
    let widget = gtk_notebook_new()
    private(set) var tabs: [Tab] = []
    private let list: TabList
    private var pages: [TabID: (box: Widget?, label: Widget?)] = [:]
    private var mirror: TabListMirror?

    init(_ list: TabList) {
        self.list = list
        gtk_notebook_set_scrollable(notebook, 1)
        connect(widget, "notify::page") { [weak self] _ in self?.mirror?.stripChanged() }
        connect(widget, "page-reordered") { [weak self] in self?.wasReordered($0) }
        mirror = TabListMirror(list, strip: self)
    }

    private var notebook: OpaquePointer? { widget.map { OpaquePointer($0) } }

    private func wasReordered(_ box: Widget?) {
        guard let from = tabs.firstIndex(where: { pages[$0.id]?.box == box }) else { return }
        let tab = tabs.remove(at: from)
        tabs.insert(tab, at: Int(gtk_notebook_page_num(notebook, box)))
        mirror?.stripChanged()
    }

    // MARK: Requests of the mirror

    var selectedIndex: Int? {
        let index = Int(gtk_notebook_get_current_page(notebook))
        return tabs.indices.contains(index) ? index : nil
    }

    func insert(_ tab: Tab, at index: Int) {
        let (box, label) = (gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), gtk_label_new(""))
        pages[tab.id] = (box, label)
        tabs.insert(tab, at: index)
        gtk_label_set_width_chars(label.map { OpaquePointer($0) }, 14)
        gtk_label_set_max_width_chars(label.map { OpaquePointer($0) }, 24)
        gtk_label_set_ellipsize(label.map { OpaquePointer($0) }, PANGO_ELLIPSIZE_END)
        update(tab, at: index)
        gtk_notebook_insert_page(notebook, box, label, Int32(clamping: index))
        gtk_notebook_set_tab_reorderable(notebook, box, 1)
        // A notebook always has a current page, also while a tab of a space is on screen: a click shows it.
        onPress(label) { [weak self, weak tab] in
            if let self, let tab, list.activeTab == nil { try? list.activate(tab) }
        }
    }

    func move(from: Int, to: Int) {
        // The notebook's signal reports the move, too.
        gtk_notebook_reorder_child(notebook, pages[tabs[from].id]?.box, Int32(clamping: to))
    }

    func remove(at index: Int) {
        pages[tabs.remove(at: index).id] = nil
        gtk_notebook_remove_page(notebook, Int32(clamping: index))
    }

    func select(_ index: Int?) {
        if let index { gtk_notebook_set_current_page(notebook, Int32(clamping: index)) }
    }

    func update(_ tab: Tab, at index: Int) {
        guard let label = pages[tab.id]?.label else { return }
        let group = tab.group.flatMap { list.group($0) }.map { "[\($0.name)] " } ?? ""
        gtk_label_set_text(OpaquePointer(label), group + tab.label)
    }

    func flushSoon() { Task { mirror?.flush() } }
}

extension Tab {
    /// The text in strip and sidebar: pin, state of the page, and title.
    var label: String {
        let name = title.isEmpty ? url.isEmpty ? "New tab" : url : title
        let load =
            switch pageLoad {
            case .none: ""
            case .loading: "… "
            case .failed: "failed: "
            case .crashed: "crashed: "
            case .becameDownload: "downloaded: "
            }
        return (isPinned ? "• " : "") + load + name
    }
}
