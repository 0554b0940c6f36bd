import BrowserModel
import BrowserSessions
import DirectoryBackend
import SessionRestoration

@MainActor
final class Browser {
    let profiles = ProfileManager(root: "profiles")
    let profile: Profile
    let sessions: SessionRestorer

    /// Launch: the windows are back when it returns; from then on every change is saved in time.
    init(store location: String) async throws {
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: location))
        profile = try profiles.create(named: "default")
        sessions = SessionRestorer(profile: profile, storage: store)
        // Prints: 2 windows with 4 tabs came back; 1 private window with 1 tab
        print(try await sessions.restore())
    }

    /// Foreground, and background, where the system may end the app: what changed is saved at once.
    func show(_ isVisible: Bool) {
        for window in Array(profile.windows) + Array(profile.windows.incognito) {
            if isVisible { window.enterForeground() } else { window.enterBackground() }
        }
    }

    /// Quit: everything is saved, and what is open comes back at the next launch.
    func quit() async throws {
        try await sessions.close()
        try await sessions.currentStorage.close()
    }

    /// A program that browses until the system, or ^C, asks it to end. (`@main` before the class.)
    static func main() async throws {
        let signals = TerminationSignals()
        let browser = try await Browser(store: "profile")
        if browser.profile.windows.isEmpty { try browser.browse() }
        for await signal in signals {
            try await browser.quit()
            signal.endProcess()
        }
    }

    /// Tabs that crashed the app are kept out of the way until the user has decided.
    func offerSetAside(_ wants: (SetAsideSession) -> Bool) async throws {
        for session in sessions.setAside.sessions where wants(session) {
            try await sessions.setAside.bringBack(session.id)
        }
    }

    func browse() throws {
        let window = try profile.windows.open()
        let swift = Tab(url: "https://swift.org/", title: "Swift")
        let news = Tab(url: "https://example.org/", title: "News")
        let sports = Tab(url: "https://example.org/sports", title: "Sports")
        try window.tabs.insert(swift, as: .active)
        try window.tabs.insert(news, as: TabInsertion(opener: swift.id))
        try window.tabs.insert(sports)
        try window.tabs.pin(swift)
        try window.tabs.create(StructureNode.group(name: "Read"), of: [news, sports])
        let second = try profile.windows.open()
        try second.tabs.insert(Tab(url: "https://example.com/"), as: .active)
        // Encrypted on the disk, and gone with its key when the last tab closes.
        let secret = try profile.createIncognito().windows.open()
        try secret.tabs.insert(Tab(url: "https://example.net/"), as: .active)
        try window.tabs.close(sports)
        try sessions.closed.reopenLast()
    }
}
