import BrowserModel
import BrowserSessions
import CWebKitGTK
import DirectoryBackend
import GTKSupport
import SessionRestoration
import WebKitGTKEngine

/// The browser: a profile, its windows, and the restorer that keeps them.
@GLibActor
final class Browser: @GLibActor WindowListObserver, @GLibActor ProfileObserver {
    let engine: WebKitEngine
    let profile: Profile
    let restorer: SessionRestorer
    private(set) var windows: [BrowserWindow] = []
    private let profiles: ProfileManager
    private let storage: any SessionStorage
    /// The function that is called when the user closes the last window.
    var onQuit: @GLibActor () -> Void = {}

    /// Opens the browser. When it returns, the windows are restored.
    ///
    /// - Parameter folder: holds all persistent data.
    init(folder: String, observer: (any SessionRestorerObserver)? = nil) async throws {
        engine = WebKitEngine(folder: folder)
        storage = try await StorageBackend.directory.open(
            StorageConfiguration(location: "\(folder)/session"))
        profiles = ProfileManager(root: folder)
        profile = try profiles.create(named: "Default")
        profile.windows.webEngine = engine
        profile.windows.structureRules = .everything
        profile.windows.structureRules.opensBelow = true
        restorer = SessionRestorer(profile: profile, storage: storage)
        if let observer { restorer.addObserver(observer) }
        profile.addObserver(self)
        profile.windows.addObserver(self)
        profile.windows.incognito.addObserver(self)
        try await restorer.restore()
        if profile.windows.windows(of: .regular).isEmpty { try openWindow() }
    }

    /// Saves and closes everything. The program may end when it returns.
    func close() async {
        try? await restorer.close()
        profiles.endAll()
        try? await storage.close()
    }

    // MARK: Windows

    func openWindow(_ address: String = "about:blank") throws {
        try profile.windows.open().tabs.open(address)
    }

    func openPrivateWindow(_ address: String = "about:blank") throws {
        try profile.createIncognito().windows.open().tabs.open(address)
    }

    /// Closes a window for the user. Closing the last window ends the browser; the window returns next time.
    func close(_ window: Window) {
        guard windows.count > 1 else { return onQuit() }
        if window.isIncognito { window.tabs.closeAll(reason: .user) }
        if !window.isClosed { try? profile.windows.close(window) }
    }

    /// Closes a window without tabs, unless it gets a tab at once.
    func closeIfEmpty(_ window: Window) {
        Task { if window.tabs.isEmpty, !window.isClosed { close(window) } }
    }

    func bringBackSetAside() {
        Task {
            for session in restorer.setAside.sessions {
                _ = try? await restorer.setAside.bringBack(session.id)
            }
            for window in windows { window.showOffer() }
        }
    }

    func windowList(_ list: WindowList, did change: WindowListChange) {
        switch change {
        case .opened(let window) where window.kind == .regular || window.kind == .incognito:
            windows.append(BrowserWindow(window, self))
        case .closed(let closed):
            windows.first { $0.window === closed }?.close()
            windows.removeAll { $0.window === closed }
        case .opened, .willClose: break
        }
    }

    func profileDidDestroyIncognito(_ profile: Profile) { engine.endPrivateSession() }
}
