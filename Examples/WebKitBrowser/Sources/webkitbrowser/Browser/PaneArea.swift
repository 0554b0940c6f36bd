import BrowserModel
import BrowserSessions
import CWebKitGTK
import GTKSupport
import WebKitGTKEngine

/// The view of the tab on screen, or all views of its split. The views of the window's other tabs are in it, too,
/// but hidden. A view can be in one window alone: that of a tab of a space goes to the window that showed it
/// last.
@GLibActor
final class PaneArea: @GLibActor TabListObserver {
    let widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4)
    private let window: Window
    private let library: TabList
    private let engine: WebKitEngine
    private var shown: [Tab] = []

    init(_ window: Window, _ library: TabList, _ engine: WebKitEngine) {
        (self.window, self.library, self.engine) = (window, library, engine)
        gtk_box_set_homogeneous(cast(widget), 1)
        gtk_widget_set_vexpand(widget, 1)
        for tab in window.tabs { attach(tab) }
        for list in [library, window.tabs] { list.addObserver(self) }
        update()
    }

    /// Ends before its widget does. The views of the library stay, for other windows.
    func stop() {
        for list in [library, window.tabs] { list.removeObserver(self) }
        for tab in library {
            guard let view = engine.view(of: tab)?.widget, isHere(view) else { continue }
            gtk_box_remove(cast(widget), view)
        }
        shown = []
    }

    /// Takes the views of the tabs on screen from another window that shows them.
    func take() {
        guard shown.contains(where: { !hasView(of: $0) }) else { return }
        for tab in shown { attach(tab, taking: true) }
        update()
    }

    /// Whether the view of a tab is in the area.
    func hasView(of tab: Tab) -> Bool { isHere(engine.view(of: tab)?.widget) }

    private func isHere(_ view: Widget?) -> Bool {
        view != nil && gtk_widget_get_parent(view) == widget
    }

    func tabList(_ list: TabList, did change: TabListChange) {
        switch change {
        case .inserted(let tab, _), .replaced(_, let tab), .tab(let tab, _):
            if list === window.tabs { attach(tab) }
        default: break
        }
        update()
    }

    /// Adds the view of a tab that has got its page. A click in it makes the tab active.
    private func attach(_ tab: Tab, taking: Bool = false) {
        guard let view = engine.view(of: tab)?.widget, !isHere(view) else { return }
        if let parent = gtk_widget_get_parent(view) {
            guard taking else { return }
            gtk_box_remove(cast(parent), view)
        }
        gtk_widget_set_visible(view, shown.contains { $0 === tab } ? 1 : 0)
        gtk_box_append(cast(widget), view)
        onPress(view) { [weak self, weak tab] in
            guard let self, let tab, tab !== window.tabOnScreen, isHere(view) else { return }
            try? window.activate(tab)
        }
    }

    private func update() {
        // A tab that came back without its page, a possible cause of a crash, loads no others.
        let active = window.tabOnScreen.flatMap { $0.isRealized ? $0 : nil }
        let (panes, axis) = active.flatMap { $0.list?.panes(with: $0) } ?? ([], .row)
        for pane in panes where !pane.isRealized && !shown.contains(where: { $0 === pane }) {
            Task { try? await pane.forceRealization() }
        }
        let isNew = !panes.elementsEqual(shown) { $0 === $1 }
        shown = panes
        for pane in panes { attach(pane) }
        // While a tab is activated, the one before it may be on screen once more.
        if isNew { Task { take() } }
        let isRow = axis == .row
        gtk_orientable_set_orientation(
            widget.map { OpaquePointer($0) },
            isRow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        let views = panes.map { engine.view(of: $0)?.widget }.filter { isHere($0) }
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
