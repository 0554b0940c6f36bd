import BrowserDriving
import Expectations
import Foundation

/// Compares what was to be with what is, point by point, and notes each point for the table that
/// `make browsers` ends with.
struct Verdict {
    /// The browser that judges, with its version.
    let judge: String

    private static let points: [(String, @Sendable (LiveBrowser) -> [String])] = [
        ("windows", { ["\($0.windows.count)"] }),
        ("focused window", { ["\($0.focused)"] }),
        ("active tabs", { $0.windows.map { "\($0.active)" } }),
        ("order of tabs", { $0.windows.flatMap { ["window"] + $0.tabs.map(\.shown.url) } }),
        ("titles", { $0.tabs.map(\.shown.title) }),
        ("pins", { $0.tabs.map { "\($0.isPinned)" } }),
        ("groups", { $0.tabs.map { $0.group?.title ?? "none" } }),
        ("colours of groups", { $0.tabs.map { $0.group?.color ?? "none" } }),
        ("collapsed groups", { $0.tabs.map { "\($0.group?.isCollapsed ?? false)" } }),
        ("histories", { $0.tabs.flatMap { ["tab"] + $0.entries.flatMap { [$0.url, $0.title] } } }),
        ("places in histories", { $0.tabs.map { "\($0.index)" } }),
    ]

    func compare(
        _ found: LiveBrowser, with expected: LiveBrowser, _ question: String,
        file: String = #fileID, line: Int = #line
    ) throws {
        for (name, point) in Self.points {
            let (found, expected) = (point(found), point(expected))
            let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
            let other = place ?? min(found.count, expected.count)
            try check(
                found == expected, question, name,
                "\(found[other...].prefix(3)) instead of \(expected[other...].prefix(3)) at \(other)",
                file: file, line: line)
        }
    }

    func check(
        _ isRight: Bool, _ question: String, _ point: String, _ details: String = "",
        file: String = #fileID, line: Int = #line
    ) throws {
        expect(isRight, "\(question), \(point): \(details)", file: file, line: line)
        guard let path = ProcessInfo.processInfo.environment["BROWSERS_REPORT"] else { return }
        let line = "\(judge)\t\(question)\t\(isRight ? "passed" : "failed")\t\(point)\n"
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(line.utf8))
        try file.close()
    }
}

extension LiveTab {
    /// The entry that it shows; an empty one if there is none.
    fileprivate var shown: LiveEntry {
        entries.indices.contains(index) ? entries[index] : LiveEntry(url: "", title: "")
    }
}
