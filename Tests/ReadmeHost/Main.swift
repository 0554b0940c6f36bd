import BrowserModel
import Foundation
import SessionRestoration

/// `readmehost WAY FOLDER`: the browser of the guide, with its store in that folder, which ends in that way: as
/// the guide says at a signal, or without closing its sessions. Says what came back.
@main
enum Main {
    @MainActor
    static func main() async throws {
        // By its name: `stdout` is a variable that anything might change. The tests read a line at a time.
        if let stream = dlsym(nil, "stdout")?.load(as: UnsafeMutablePointer<FILE>?.self) {
            setvbuf(stream, nil, _IOLBF, 0)
        }
        let way = CommandLine.arguments[1]
        guard FileManager.default.changeCurrentDirectoryPath(CommandLine.arguments[2]) else {
            fatalError("\(CommandLine.arguments[2]) is no folder")
        }
        if way == "signal" { return try await Browser.main() }
        let browser = try await Browser(store: "profile")
        if browser.profile.windows.isEmpty { try browser.browse() }
        try await browser.sessions.save()
        switch way {
        case "return": return
        case "exit": exit(3)
        case "background":
            browser.show(false)
            await browser.sessions.waitUntilIdle()
            kill(getpid(), SIGKILL)
        case "trap": fatalError("as it was asked for")
        default: try await browser.quit()
        }
    }
}
