import BrowserModel
import BrowserSessions
import CWebKit
import CWebKitGTK
import DirectoryBackend
import Foundation
import GTKSupport
import SessionRestoration
import WebKitGTKEngine

/// A run of the program that measures something.
enum Measurement: String {
    case cost
    case fill200, restore200, window200
    case fill2000, restore2000, window2000

    static let all = [
        Measurement.cost, .fill200, .restore200, .restore200, .restore200, .window200, .window200,
        .window200, .fill2000, .restore2000, .restore2000, .restore2000, .window2000, .window2000,
        .window2000,
    ]

    private var count: Int { Int(rawValue.drop { !$0.isNumber }) ?? 0 }

    @GLibActor
    func perform(_ folder: String, _ server: String) async throws {
        let profile = "\(folder)/profile\(count)"
        switch self {
        case .cost: try await Costs(folder: profile, server: server).measure()
        case .fill200, .fill2000: try await fill(profile, server)
        case .restore200, .restore2000: try await restore(profile)
        case .window200, .window2000: try await open(profile)
        }
        Tour.say(Tour.endMark)
    }

    @GLibActor
    private func fill(_ folder: String, _ server: String) async throws {
        let browser = try await Browser(folder: folder)
        let list = browser.profile.windows[0].tabs
        try list.performBatch { list in
            for number in 0..<count {
                try list.insert(browser.unrealizedTab("\(server)/page/\(number)", "Page \(number)"))
            }
        }
        await browser.close()
    }

    /// Restores the model alone, with the active tab's page and without windows.
    @GLibActor
    private func restore(_ folder: String) async throws {
        Self.makeFirstView()
        let storage = try await StorageBackend.directory.open(
            StorageConfiguration(location: "\(folder)/session"))
        let profile = try ProfileManager(root: folder).create(named: "Default")
        profile.windows.webEngine = WebKitEngine(folder: folder)
        let restorer = SessionRestorer(profile: profile, storage: storage)
        let time = try await ContinuousClock().measure { try await restorer.restore() }
        let realized = profile.windows[0].tabs.count(where: \.isRealized)
        Tour.say(
            "restore: \(profile.windows[0].tabs.count) tabs, \(realized) realized: \(time.text)")
        try await restorer.close()
        try await storage.close()
    }

    /// Does everything that the program does until its window exists.
    @GLibActor
    private func open(_ folder: String) async throws {
        Self.makeFirstView()
        let start = ContinuousClock.now
        let browser = try await Browser(folder: folder)
        let time = ContinuousClock.now - start
        Tour.say("store, restore and a window with its strip: \(time.text)")
        await browser.close()
    }

    /// Creates the first view, which starts WebKit. That cost is not part of the sessions.
    @GLibActor
    private static func makeFirstView() {
        let start = ContinuousClock.now
        let view = wk_view_new(webkit_network_session_new_ephemeral(), nil, webkit_settings_new())
        webkit_web_view_load_uri(view, "about:blank")
        Tour.say("the engine's first view: \((ContinuousClock.now - start).text)")
    }
}

extension Browser {
    /// Returns a tab as it comes from the store.
    func unrealizedTab(_ address: String, _ title: String) -> Tab {
        restorer.states.createUnrealizedTab(
            TabMetadata(
                id: .random(), place: .between(nil, and: nil), url: address, title: title,
                createdAt: profile.now(), lastActiveAt: profile.now(), navigationItemCount: 1),
            state: TabState(history: NavigationHistory(url: address, title: title)))
    }
}

extension Duration {
    var text: String {
        let microseconds = Int(self / .microseconds(1))
        return microseconds < 1000
            ? "\(microseconds) µs" : "\(Double(microseconds / 10) / 100) ms"
    }
}
