public import BrowserModel
public import BrowserSessions

/// A tab that is out of sight, and the window that it comes back to.
public struct InactiveTab: Identifiable {
    /// Not realized; its `metadata` has its title, its address and when it was used last.
    public let tab: Tab
    public let window: WindowID

    public var id: TabID { tab.id }
}

extension InactiveTabs {
    /// The inactive tabs of all windows that are open, window by window in the order in which those were
    /// opened, each in its order; empty before windows were restored, and when there are none.
    public var all: [InactiveTab] {
        context.windows.windows(of: .inactive).flatMap { window in
            window.tabs.map { InactiveTab(tab: $0, window: window.id) }
        }
    }

    /// The inactive tabs of a regular window, in order; empty if it has none.
    ///
    /// Throws ``SessionRestorationError/notRegular(_:)``, ``SessionRestorationError/window(_:)`` if
    /// the window is not open, or ``SessionRestorationError/notRestored``.
    public func tabs(of window: some WindowReference) throws(SessionRestorationError) -> [Tab] {
        let window = try context.regularWindow(window)
        return context.windows.window(window.id, .inactive)?.tabs.tabs ?? []
    }
}
