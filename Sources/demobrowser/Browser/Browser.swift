import BrowserModel
import BrowserSessions
import SessionRestoration

/// The browser: a profile with windows and tabs, on the main actor.
///
/// This is all that a host does for its sessions: it calls `restore()` once, and `close()` at the
/// end, on the restorer of its ``Sessions`` service. Between these calls, it changes windows and
/// tabs freely, and needs no code to save them.
@MainActor
final class Browser {
    let context: ApplicationContext
    let profile: Profile
    let restorer: SessionRestorer
    let server = PageServer()
    /// The shown window.
    private(set) var window: Window
    /// The function that is called as soon as a command has changed something, before it waits for anything.
    var onChange: () throws -> Void = {}

    /// Opens the profile's windows as they were. If there are none, opens one with a welcome page.
    ///
    /// - Parameters:
    ///   - now: the wall clock.
    ///   - whenRestored: called when the windows are back and nothing has changed yet.
    init(
        storage: any SessionStorage, policy: RestorationPolicy,
        now: @escaping @Sendable () -> Timestamp = { .now() },
        whenRestored: (SessionRestorer) async throws -> Void = { _ in }
    ) async throws {
        context = ApplicationContext(
            root: "profiles",
            services: try .browser(storage: storage, policy: policy), now: now)
        profile = try context.profiles.create(named: "Default")
        profile.windows.structureRules = .everything
        restorer = try profile.service(Sessions.self).restorer
        try await restorer.restore()
        try await whenRestored(restorer)
        let open = profile.windows.windows(of: .regular)
        let last = open.max { $0.attributes.lastActiveAt < $1.attributes.lastActiveAt }
        window = try last ?? profile.windows.open()
        if open.isEmpty { try self.open(PageServer.welcome) }
        enterForeground()
    }

    /// The windows on the screen, in the order in which they were opened.
    var windows: [Window] { profile.windows.windows(of: .regular) }

    /// The incognito tabs of the shown window; `nil` if there are none.
    var incognito: Window? { profile.windows.incognito.window(window.id) }

    /// Saves everything, and then ends the profile and its services.
    func close() async throws {
        try await restorer.close()
        context.profiles.endAll()
    }

    // MARK: Windows

    func openWindow() throws {
        show(try profile.windows.open())
        try open(PageServer.welcome)
    }

    func show(_ window: Window) {
        self.window = window
        window.enterForeground()
    }

    func showWindow(_ number: Int) throws { show(try window(number)) }

    func window(_ number: Int) throws(CommandMistake) -> Window {
        guard windows.indices.contains(number - 1) else {
            let count = counted(windows.count, "is", "are")
            throw CommandMistake("there is no window \(number): \(count) open, see 'windows'")
        }
        return windows[number - 1]
    }

    /// Closes the shown window. Its tabs stay saved, and `undo` brings it back.
    func closeWindow() throws {
        guard windows.count > 1, let next = windows.last(where: { $0 !== window }) else {
            throw CommandMistake("this is the last window: 'quit' ends the browser")
        }
        let closing = window
        if let incognito {
            incognito.tabs.closeAll(reason: .user)
            if !incognito.isClosed { try profile.windows.incognito.close(incognito) }
        }
        show(next)
        try profile.windows.close(closing)
    }

    private var windowsOfBothPartitions: [Window] {
        profile.windows + Array(profile.windows.incognito)
    }

    func enterForeground() { for window in windowsOfBothPartitions { window.enterForeground() } }

    func enterBackground() { for window in windowsOfBothPartitions { window.enterBackground() } }
}
