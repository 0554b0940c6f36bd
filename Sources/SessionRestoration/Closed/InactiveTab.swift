public import BrowserModel
public import BrowserSessions

/// An inactive tab and the window that it comes back to.
public struct InactiveTab: Identifiable {
    /// The tab, which is unrealized. Its `metadata` has the title, the address and the time of last use.
    public let tab: Tab
    /// The window that the tab comes back to.
    public let window: WindowID

    /// The identifier of the tab.
    public var id: TabID { tab.id }
}

extension InactiveTabs {
    /// The inactive tabs of all open windows, in the order in which the windows were opened, and in
    /// order within each window; empty before windows were restored, and if there are none.
    public var all: [InactiveTab] {
        context.windows.windows(of: .inactive).flatMap { window in
            window.tabs.map { InactiveTab(tab: $0, window: window.id) }
        }
    }

    /// Returns the inactive tabs of a regular window, in order; empty if it has none.
    ///
    /// - Throws: ``SessionRestorationError/notRegular(_:)`` if the window is not a regular one;
    ///   ``SessionRestorationError/window(_:)`` if it is not open;
    ///   ``SessionRestorationError/notRestored``, ``SessionRestorationError/superseded`` or
    ///   ``SessionRestorationError/closed`` if the restorer is not running.
    public func tabs(of window: some WindowReference) throws(SessionRestorationError) -> [Tab] {
        let window = try context.regularWindow(window)
        return context.windows.window(window.id, kind: .inactive)?.tabs.tabs ?? []
    }
}
