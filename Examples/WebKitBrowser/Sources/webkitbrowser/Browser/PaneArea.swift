import BrowserModel
import BrowserSessions
import CWebKitGTK
import GTKSupport
import WebKitGTKEngine

/// The view of the active tab, or all views of its split. The views of other tabs are in it, too, but hidden.
@GLibActor
final class PaneArea: @GLibActor TabListObserver {
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)
    private let list: TabList
    private let engine: WebKitEngine
    private var shown: [Tab] = []

    init(_ list: TabList, _ engine: WebKitEngine) {
        (self.list, self.engine) = (list, engine)
        gtk_box_set_homogeneous(cast(widget), 1)
        gtk_widget_set_vexpand(widget, 1)
        for tab in list { attach(tab) }
        list.addObserver(self)
        update()
    }

    func tabList(_ list: TabList, did change: TabListChange) {
        switch change {
        case .inserted(let tab, _), .replaced(_, let tab), .tab(let tab, _): attach(tab)
        default: break
        }
        update()
    }

    /// Adds the view of a tab that has got its page. A click in it makes the tab active.
    private func attach(_ tab: Tab) {
        guard let view = engine.view(of: tab)?.widget, gtk_widget_get_parent(view) == nil else {
            return
        }
        gtk_widget_set_visible(view, shown.contains { $0 === tab } ? 1 : 0)
        gtk_box_append(cast(widget), view)
        onPress(view) { [weak self, weak tab] in
            guard let self, let tab, tab !== list.activeTab else { return }
            try? list.activate(tab)
        }
    }

    private func update() {
        // A tab that came back without its page, a possible cause of a crash, loads no others.
        let active = list.activeTab.flatMap { $0.isRealized ? $0 : nil }
        let (panes, axis) = active.map { list.panes(with: $0) } ?? ([], .row)
        for pane in panes where !pane.isRealized && !shown.contains(where: { $0 === pane }) {
            Task { try? await pane.forceRealization() }
        }
        shown = panes
        let isRow = axis == .row
        gtk_orientable_set_orientation(
            widget.map { OpaquePointer($0) },
            isRow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        let views = panes.map { engine.view(of: $0)?.widget }.filter { $0 != nil }
        var next = gtk_widget_get_first_child(widget)
        while let view = next {
            gtk_widget_set_visible(view, views.contains(view) ? 1 : 0)
            next = gtk_widget_get_next_sibling(view)
        }
        for (view, former) in zip(views.dropFirst(), views) {
            guard gtk_widget_get_prev_sibling(view) != former else { continue }
            gtk_box_reorder_child_after(cast(widget), view, former)
        }
    }
}
