import BrowserModel
import BrowserSessions
import CommandLineSupport
import Foundation
import SessionRestoration
import StorageEngines

/// A record of the browser's state for a program that watches it. Each line is written at once:
///
///     restored CLOCK STATE      the state that was restored at the start
///     change N CLOCK STATE      the state after the Nth change
///     saved N CLOCK             the store acknowledged a save with the changes up to N
///
/// CLOCK is in microseconds since the start, and STATE is the JSON of a ``TraceState``. Real
/// browsers have no such trace; a test uses it to kill the process and compare.
@MainActor
final class Trace {
    private let isPrinted: Bool
    /// The file that it is written to; `nil` for none.
    private let file: PosixFile?
    /// The first error of writing a line.
    private var failure: (any Error)?
    private let storage: any SessionStorage
    private var changes = 0
    /// The number of changes when the current save began.
    private var changesInSave = 0
    private let start = ContinuousClock.now
    private var pages: [TabID: TabState] = [:]
    /// The last written state.
    private(set) var last = ""
    private var windows: WindowList?

    /// - Parameter path: the file to create or replace; `-` for standard output, `nil` for no trace.
    init(path: String?, storage: any SessionStorage) throws {
        isPrinted = path == "-"
        if let path, !isPrinted {
            try FileSystem.replace(path, with: [])
            file = try PosixFile(opening: path, flags: O_WRONLY | O_APPEND)
        } else {
            file = nil
        }
        self.storage = storage
    }

    /// Begins writing changes, after the windows are restored.
    func begin(_ restorer: SessionRestorer) async throws {
        windows = restorer.windows
        try await readPages()
        // The restored state is the first line; a reader counts the lines after it.
        restorer.addObserver(self)
        last = try TraceState(of: restorer.windows, pages: pages).text()
        write("restored \(clock) \(last)")
        try requireWritten()
    }

    /// Writes a line if something changed since the last one. Throws if a line could not be written.
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
        do {
            if isPrinted { try Console.json(line + "\n") }
            try file?.write(Array((line + "\n").utf8))
        } catch { failure = failure ?? error }
    }

    /// Reads the states of all tabs in the store, including closed ones.
    private func readPages() async throws {
        for id in try await storage.sessions() where id.partition == .regular {
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
            // A command that is still waiting may have made changes that are not counted yet.
            noteChange()
            changesInSave = changes
        case .saved(let summary) where summary.partition == .regular:
            write("saved \(changesInSave) \(clock)")
        default: break
        }
    }
}
