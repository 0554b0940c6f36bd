import BrowserModel
import Foundation
import GTKSupport
import SessionRestoration

extension Stage {
    private var note: String { "\(folder)/wheel.txt" }

    /// Scrolls like a user, and makes no call to save the position.
    func turnWheel() async throws {
        let tab = try await open("page/30", in: regular[0])
        _ = await until { self.browser.restorer.isSaved }
        let sets = saves.sets
        guard move("mousemove", "400", "400", "click", "--repeat", "5", "--delay", "50", "5") else {
            return check("a mouse is there", false, "xdotool is missing")
        }
        check("the wheel scrolls", await until { await self.ask(tab, "scrollY") != "0" })
        let isSaved = await until { saves.sets > sets && self.browser.restorer.isSaved }
        check("it is saved by itself", isSaved)
        try await ask(tab, "scrollY").write(toFile: note, atomically: true, encoding: .utf8)
        await waitForKill()
    }

    func findWheel() async throws {
        let position = try String(contentsOfFile: note, encoding: .utf8)
        guard let tab = regular.first?.tabs.activeTab else { return check("a tab is there", false) }
        await arrival(of: tab)
        let isThere = await until(3) { await self.ask(tab, "scrollY") == position }
        check("the page is where the wheel has left it", isThere, "at \(position)")
    }

    /// Moves the mouse of the X server. Returns whether there is one.
    @discardableResult
    func move(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/xdotool")
        process.arguments = words
        return (try? process.run()) != nil
    }
}
