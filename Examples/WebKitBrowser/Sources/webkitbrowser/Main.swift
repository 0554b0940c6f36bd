import CWebKitGTK
import EngineConformance
import Foundation
import GTKSupport

/// The program. `webkitbrowser [--profile FOLDER] [ADDRESS…]` browses, `webkitbrowser tour --folder
/// FOLDER` checks restored content, and `webkitbrowser measure --folder FOLDER` measures costs.
@main
enum Main {
    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        let profile = take("--profile", from: &words) ?? take("--folder", from: &words)
        let server = take("--server", from: &words)
        let home = "\(NSHomeDirectory())/.local/share/webkitbrowser"
        let folder = URL(fileURLWithPath: profile ?? home).path
        if server == nil, let command = words.first,
            ["tour", "measure", "conform"].contains(command)
        {
            exit(show(command, words.dropFirst().compactMap(Act.init), folder) ? 0 : 1)
        }
        gtk_init()
        Task { @GLibActor in
            do {
                let isRight = try await run(words, folder, server)
                exit(isRight ? 0 : 1)
            } catch {
                FileHandle.standardError.write(Data("webkitbrowser: \(error)\n".utf8))
                exit(1)
            }
        }
        g_main_loop_run(g_main_loop_new(nil, 0))
    }

    /// Runs this program several times. Returns whether everything is right.
    private static func show(_ command: String, _ acts: [Act], _ folder: String) -> Bool {
        do {
            let tour = try Tour(folder: folder)
            if command == "conform" { return try tour.checkEngine() }
            if command == "tour" { return try tour.run(acts.isEmpty ? Act.all : acts) }
            try tour.measure()
            return true
        } catch {
            Tour.say("\(error)")
            return false
        }
    }

    @GLibActor
    private static func run(
        _ words: [String], _ folder: String, _ server: String?
    ) async throws -> Bool {
        guard let server, words.count == 2 else {
            try await browse(folder, words)
            return true
        }
        if words[0] == "conform" { return await conform(folder, server) }
        if let measurement = Measurement(rawValue: words[1]) {
            try await measurement.perform(folder, server)
        } else if let act = Act(rawValue: words[1]) {
            return try await perform(act, folder, server)
        }
        return true
    }

    @GLibActor
    private static func perform(_ act: Act, _ folder: String, _ server: String) async throws -> Bool
    {
        let saves = SaveCounter()
        let browser = try await Browser(folder: "\(folder)/\(act.profile)", observer: saves)
        let stage = Stage(browser, saves, folder: folder, server: server)
        try await act.perform(on: stage)
        await browser.close()
        stage.say(Tour.endMark)
        return !stage.isWrong
    }

    @GLibActor
    private static func conform(_ folder: String, _ server: String) async -> Bool {
        var number = 0
        let report = await EngineConformance.report {
            number += 1
            return WebKitSubject(folder: "\(folder)/\(number)", server: server)
        }
        Tour.say(report.table)
        Tour.say(Tour.endMark)
        return report.isConformant
    }

    /// Runs the browser until the user closes the last window.
    @GLibActor
    private static func browse(_ folder: String, _ addresses: [String]) async throws {
        let browser = try await Browser(folder: folder)
        for address in addresses { try browser.openWindow(address) }
        let (ends, end) = AsyncStream<Never>.makeStream()
        browser.onQuit = { end.finish() }
        for await _ in ends {}
        await browser.close()
    }

    private static func take(_ name: String, from words: inout [String]) -> String? {
        guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
        defer { words.removeSubrange(index...index + 1) }
        return words[index + 1]
    }
}
