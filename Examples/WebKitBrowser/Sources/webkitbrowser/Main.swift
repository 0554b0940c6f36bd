import CWebKitGTK
import Foundation
import GLibActor

/// `webkitbrowser --profile FOLDER [ADDRESS…]` browses; `webkitbrowser tour --folder FOLDER` shows and
/// checks what comes back.
@main
enum Main {
    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        let profile = take("--profile", from: &words) ?? take("--folder", from: &words)
        let server = take("--server", from: &words) ?? ""
        let folder = profile ?? "\(NSHomeDirectory())/.local/share/webkitbrowser"
        guard words.first != "tour" else {
            let acts = words.dropFirst().compactMap(Act.init)
            let isRight = try? Tour(folder: folder).run(acts.isEmpty ? Act.all : acts)
            exit(isRight == true ? 0 : 1)
        }
        gtk_init()
        let loop = g_main_loop_new(nil, 0)
        Task { @GLibActor in
            do {
                if words.first == "act", let act = words.dropFirst().first.flatMap(Act.init) {
                    exit(try await run(act, folder, server) ? 0 : 1)
                }
                try await browse(folder, words)
            } catch {
                FileHandle.standardError.write(Data("webkitbrowser: \(error)\n".utf8))
                exit(1)
            }
        }
        g_main_loop_run(loop)
    }

    /// Returns when the user has closed the last window.
    @GLibActor
    private static func browse(_ folder: String, _ addresses: [String]) async throws {
        let browser = try await Browser(folder: folder)
        for address in addresses { try browser.openWindow(address) }
        let (ends, end) = AsyncStream<Never>.makeStream()
        browser.onQuit = { end.finish() }
        for await _ in ends {}
        await browser.close()
        exit(0)
    }

    @GLibActor
    private static func run(_ act: Act, _ folder: String, _ server: String) async throws -> Bool {
        let saves = SaveCounter()
        let browser = try await Browser(folder: "\(folder)/profile", observer: saves)
        let stage = Stage(browser, saves, folder: folder, server: server)
        try await act.perform(on: stage)
        await browser.close()
        stage.say(Tour.endMark)
        return !stage.isWrong
    }

    private static func take(_ name: String, from words: inout [String]) -> String? {
        guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
        defer { words.removeSubrange(index...index + 1) }
        return words[index + 1]
    }
}
