import Foundation

@testable import demobrowser

/// One life of a `demobrowser`, as its trace reports it.
struct TracedRun {
    struct Change {
        var number: Int
        /// Microseconds since the start of the process.
        var clock: Int
        var state: String
    }

    /// What came back at its start.
    private(set) var restored: String?
    private(set) var changes: [Change] = []
    /// The last change that the store has acknowledged; 0 if none.
    private(set) var acknowledged = 0
    /// When each acknowledgement came.
    private(set) var saves: [(number: Int, clock: Int)] = []
    /// The clock of the last line.
    private(set) var lastClock = 0

    /// Whether the list of commands was printed, which ends with `quit`.
    private(set) var isIdle = false

    /// Takes one line of output.
    mutating func take(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        switch words.first {
        case "restored" where words.count >= 3:
            restored = line.split(separator: " ", maxSplits: 2).last.map(String.init)
            lastClock = Int(words[1]) ?? 0
        case "change" where words.count == 4:
            guard let number = Int(words[1]), let clock = Int(words[2]) else { return }
            changes.append(Change(number: number, clock: clock, state: words[3]))
            lastClock = clock
        case "saved" where words.count == 3:
            guard let number = Int(words[1]), let clock = Int(words[2]) else { return }
            acknowledged = max(acknowledged, number)
            saves.append((number, clock))
            lastClock = clock
        case "quit": isIdle = true
        default: break
        }
    }

    /// Reads until the condition is fulfilled, or the process has ended.
    mutating func read(
        _ process: BrowserProcess, until isEnough: (TracedRun) -> Bool = { _ in false }
    ) {
        while let line = process.line() {
            take(line)
            if isEnough(self) { return }
        }
    }

    /// The number of the last change after which the state was `text`; 0 is the state at the
    /// start; `nil` if it never was.
    func number(of text: String) -> Int? {
        changes.last { $0.state == text }?.number ?? (text == restored ? 0 : nil)
    }

    /// The last change that happened so long before the last line.
    func lastChange(olderThan microseconds: Int) -> Int {
        changes.last { $0.clock < lastClock - microseconds }?.number ?? 0
    }
}

extension TraceState {
    init(_ text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    /// One line for each window, node and tab.
    var lines: [String] {
        windows.flatMap { window in
            ["window \(window.id), active \(window.active ?? "none")"]
                + window.outline.map { "\(window.id.prefix(8)): \($0)" }
                + window.tabs.map { "\(window.id.prefix(8)): \($0)" }
        }
    }

    var tabs: [TabState] { windows.flatMap(\.tabs) }
}
