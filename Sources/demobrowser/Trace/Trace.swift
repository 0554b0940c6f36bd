import BrowserModel
import BrowserSessions
import CommandLineSupport
import Foundation
import LocalFiles
import SessionRestoration
import StorageEngines

/// Writes for a program that watches this one what the browser has, each line at once:
///
///     restored CLOCK STATE      what came back at the start
///     change N CLOCK STATE      what there is after the N-th change
///     saved N CLOCK             the store has acknowledged a save with the changes up to N
///
/// CLOCK is microseconds since the start, STATE the JSON of a ``TraceState``. A browser has no
/// such thing: this is here so that a test can kill the process and compare.
@MainActor
final class Trace {
    private let output: Output
    /// Why a line could not be written.
    private var failure: (any Error)?
    private let storage: any SessionStorage
    private var changes = 0
    /// How many there were when the save that is under way was begun.
    private var changesInSave = 0
    private let start = ContinuousClock.now
    private var pages: [TabID: TabState] = [:]
    /// The state as it was written last.
    private(set) var last = ""
    private var windows: WindowList?

    /// - Parameter path: of a file that is made anew; `-` is standard output, `nil` is nowhere.
    init(path: String?, storage: any SessionStorage) throws {
        switch path {
        case nil: output = .nowhere
        case "-": output = .standard
        case let path?:
            try FileSystem.replace(path, with: [])
            output = .file(try PosixFile(opening: path, O_WRONLY | O_APPEND))
        }
        self.storage = storage
    }

    private enum Output {
        case nowhere
        case standard
        case file(PosixFile)

        func write(_ text: String) throws {
            switch self {
            case .nowhere: break
            case .standard: try Console.json(text)
            case .file(let file): try file.write(Array(text.utf8))
            }
        }
    }

    /// Windows came back: from now on changes are written.
    func begin(_ restorer: SessionRestorer) async throws {
        windows = restorer.windows
        try await readPages()
        // What came back is the first line: a reader counts those that follow it.
        restorer.addObserver(self)
        last = try TraceState(of: restorer.windows, pages: pages).text()
        write("restored \(clock) \(last)")
        try requireWritten()
    }

    /// Writes a line if something has changed since the last one. Throws if one could not be written.
    func change() throws {
        noteChange()
        try requireWritten()
    }

    private func requireWritten() throws { if let failure { throw failure } }

    private func noteChange() {
        guard let windows else { return }
        let state = TraceState(of: windows, pages: pages)
        for tab in windows.flatMap(\.tabs) {
            if let page = tab.page { pages[tab.id] = page.captureState() }
        }
        guard let text = try? state.text(), text != last else { return }
        last = text
        changes += 1
        write("change \(changes) \(clock) \(text)")
    }

    private var clock: Int { Int((ContinuousClock.now - start) / .microseconds(1)) }

    private func write(_ line: String) {
        do { try output.write(line + "\n") } catch { failure = failure ?? error }
    }

    /// The states of all tabs that the store has, also of those that were closed.
    private func readPages() async throws {
        for id in try await storage.sessions() where id.side == .regular {
            for tab in try await storage.restore(id)?.tabs ?? [] {
                let native = TabStateKey(tab: tab.id, name: .native, in: id)
                pages[tab.id] = TabState(
                    history: try await storage.history(of: tab, in: id),
                    native: try await storage.state(of: native))
            }
        }
    }
}

extension Trace: @MainActor SessionRestorerObserver {
    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
        switch event {
        case .willSave(.regular):
            // A command that waits in its middle may have changed something that nobody has counted yet.
            noteChange()
            changesInSave = changes
        case .saved(let summary) where summary.side == .regular:
            write("saved \(changesInSave) \(clock)")
        default: break
        }
    }
}
