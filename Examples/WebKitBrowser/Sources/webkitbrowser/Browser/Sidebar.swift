import BrowserModel
import BrowserSessions
import CWebKitGTK
import GTKSupport

/// The space on screen, and the folders, splits and branches of a window, as indented rows. A click on a space
/// or folder collapses or expands it, a click on a tab shows the tab. A window without any of them has no
/// sidebar.
@GLibActor
final class Sidebar: @GLibActor TabListObserver {
    let widget = gtk_scrolled_window_new()
    private let box = gtk_list_box_new()
    private let window: Window
    private let library: TabList
    private let panes: PaneArea
    private var rows: [SidebarRow] = []
    private var isUpdateDue = false
    private var isOver = false

    init(_ window: Window, _ library: TabList, _ panes: PaneArea) {
        (self.window, self.library, self.panes) = (window, library, panes)
        gtk_scrolled_window_set_child(widget.map { OpaquePointer($0) }, box)
        gtk_widget_set_size_request(widget, 200, -1)
        connect(box, "row-activated") { [weak self] in self?.wasClicked($0) }
        for list in [library, window.tabs] { list.addObserver(self) }
        update()
    }

    /// Ends before its widget does.
    func stop() {
        for list in [library, window.tabs] { list.removeObserver(self) }
        isOver = true
    }

    /// The text of all rows as they are on the screen.
    var lines: [String] {
        rows.indices.map { index in
            let label = gtk_list_box_row_get_child(cast(row(at: index)))
            let indent = String(repeating: " ", count: Int(gtk_widget_get_margin_start(label)) / 8)
            return indent + string(gtk_label_get_text(label.map { OpaquePointer($0) }))
        }
    }

    /// Clicks on the row with the text.
    func click(_ text: String) {
        guard let index = rows.firstIndex(where: { $0.text == text }) else { return }
        gtk_widget_activate(row(at: index))
    }

    private var listBox: OpaquePointer? { box.map { OpaquePointer($0) } }

    private func row(at index: Int) -> Widget? {
        let row = gtk_list_box_get_row_at_index(listBox, Int32(clamping: index))
        return UnsafeMutableRawPointer(row)?.assumingMemoryBound(to: GtkWidget.self)
    }

    private func wasClicked(_ widget: Widget?) {
        let index = Int(gtk_list_box_row_get_index(cast(widget)))
        guard rows.indices.contains(index) else { return }
        let id = rows[index].id
        for list in [library, window.tabs] {
            guard var node = list.node(id) else { continue }
            node.isCollapsed.toggle()
            try? list.update(node)
        }
        guard !rows[index].isHeader else { return }
        try? window.activate(TabID(id))
        panes.take()
    }

    // MARK: Display

    /// Shows several changes at once, when all of them are made.
    func tabList(_ list: TabList, did change: TabListChange) {
        guard !isUpdateDue else { return }
        isUpdateDue = true
        Task { if !isOver { update() } }
    }

    private func update() {
        isUpdateDue = false
        let new = window.sidebarRows(with: library)
        if new != rows {
            rows = new
            while let row = row(at: 0) { gtk_list_box_remove(listBox, row) }
            for row in rows { gtk_list_box_append(listBox, label(of: row)) }
        }
        gtk_widget_set_visible(widget, rows.isEmpty ? 0 : 1)
        let active = window.tabOnScreen.map { NodeID($0.id) }
        let index = rows.firstIndex { $0.id == active }
        gtk_list_box_select_row(listBox, cast(index.flatMap { row(at: $0) }))
    }

    private func label(of row: SidebarRow) -> Widget? {
        let label = gtk_label_new(row.text)
        gtk_label_set_xalign(label.map { OpaquePointer($0) }, 0)
        gtk_label_set_ellipsize(label.map { OpaquePointer($0) }, PANGO_ELLIPSIZE_END)
        gtk_widget_set_margin_start(label, Int32(clamping: row.depth * 16))
        if row.isHeader { gtk_widget_add_css_class(label, "heading") }
        return label
    }
}
