public import BrowserModel
public import BrowserSessions

/// An inactive tab and the window that it comes back to.
public struct InactiveTab: Identifiable {
    /// The tab, which is unrealized. Its `metadata` has the title, the address and the time of last use.
    public let tab: Tab
    public let window: WindowID

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
    /// Throws ``SessionRestorationError/notRegular(_:)``, ``SessionRestorationError/window(_:)`` if
    /// the window is not open, or ``SessionRestorationError/notRestored``.
    public func tabs(of window: some WindowReference) throws(SessionRestorationError) -> [Tab] {
        let window = try context.regularWindow(window)
        return context.windows.window(window.id, .inactive)?.tabs.tabs ?? []
    }
}
