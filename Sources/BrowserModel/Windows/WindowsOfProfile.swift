import BrowserSessions

/// The state that the two window lists of a profile share.
final class WindowsOfProfile {
    /// In the order of opening, like the lists below.
    private(set) var all: [Window] = []
    private var regular: [Window] = []
    private var incognito: [Window] = []
    private var byID: [WindowID: [Window]] = [:]
    private var openings = 0
    let registry = TabRegistry()
    let ids: WindowManager
    let now: @Sendable () -> Timestamp
    var webEngine: any WebEngine

    init(
        ids: WindowManager, webEngine: any WebEngine, now: @escaping @Sendable () -> Timestamp
    ) {
        self.ids = ids
        self.webEngine = webEngine
        self.now = now
    }

    func nextNumber() -> Int {
        openings += 1
        return openings
    }

    /// Returns what the user sees as windows.
    func shown(incognito isIncognito: Bool) -> [Window] {
        isIncognito ? incognito : regular
    }

    func windows(with id: WindowID) -> [Window] { byID[id] ?? [] }

    func append(_ window: Window) {
        all.append(window)
        byID[window.id, default: []].append(window)
        guard window.kind.role == .window else { return }
        if window.isIncognito { incognito.append(window) } else { regular.append(window) }
    }

    func remove(_ window: Window) {
        remove(window, from: &all)
        remove(window, from: &regular)
        remove(window, from: &incognito)
        byID[window.id]?.removeAll { $0 === window }
        if byID[window.id]?.isEmpty == true { byID[window.id] = nil }
    }

    /// Uses binary search, because windows are in the order of their numbers.
    private func remove(_ window: Window, from windows: inout [Window]) {
        let index = windows.slot(behind: { $0.number < window.number })
        if index < windows.count, windows[index] === window { windows.remove(at: index) }
    }
}
