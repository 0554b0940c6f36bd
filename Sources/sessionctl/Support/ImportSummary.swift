import BrowserSessions
import CommandLineSupport
import Foundation
import SessionInterop

/// The result of an import. Open and closed sessions and tabs are counted separately.
struct ImportSummary {
    private let result: SessionImport
    /// The path that was imported. Others are relative to it.
    private let root: String
    /// The sessions that the store refused.
    private let refused: [ImportPlan.Refusal]
    /// Whether nothing was saved. The rest then describes what would be saved.
    private let isDryRun: Bool
    private let merged: MergeReport
    /// The sessions that changed. Only they are saved.
    private let saved: [SessionSnapshot]

    init(
        _ result: SessionImport, of root: String, _ plan: ImportPlan,
        _ refused: [ImportPlan.Refusal], isDryRun: Bool
    ) {
        (self.result, self.root, self.refused) = (result, root, refused)
        self.isDryRun = isDryRun
        merged = plan.report(without: refused)
        let changed = Set(plan.changedSessions).subtracting(refused.map(\.session))
        saved = result.sessions.filter { changed.contains($0.id) }
    }

    /// Whether the files or the store lack something.
    var isDamaged: Bool { result.report.isDamaged || !refused.isEmpty }

    private func relative(_ path: String) -> String {
        if root == "-" { return "standard input" }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    var answer: Answer {
        let report = result.report
        let untaken: [Fields] = report.untaken.map {
            [
                "path": relative($0.path), "format": $0.format?.rawValue,
                "reason": $0.reason.rawValue, "detail": $0.detail,
            ]
        }
        let refusals = refused.map { ["session": "\($0.session)", "error": "\($0.error)"] }
        let table = table
        return Answer(
            [
                "isDryRun": isDryRun, "sessions": saved.count, "closedSessions": closedSessions,
                "changes": merged.totals, "recordsGivenUp": merged.recordsGivenUp,
                "unsaved": refusals, "sources": table.rows, "untaken": untaken,
                "profilesInUse": report.profilesInUse.map(relative),
                "otherFiles": report.otherFiles, "notes": report.notes,
            ], rows: table.rows, table, remarks, merged.totals.lines(isDryRun: isDryRun), conclusion
        )
    }

    private var table: TextTable {
        let numbers = [
            "windows", "tabs", "history", "closed windows", "closed tabs", "closed history",
        ]
        var table = TextTable(
            [.init(heading: "file", least: 12), .init(heading: "format")]
                + numbers.map { .init(heading: $0, isNumber: true) })
        for (index, source) in result.report.sources.enumerated() {
            let (path, format, counts) = (
                relative(source.path), source.format.rawValue, source.counts
            )
            let figures = [
                counts.windows, counts.tabs, counts.entries, counts.closedWindows,
                counts.closedTabs, counts.closedEntries,
            ]
            table.add(
                [
                    "path": path, "format": format, "windows": counts.windows, "tabs": counts.tabs,
                    "historyEntries": counts.entries, "closedWindows": counts.closedWindows,
                    "closedTabs": counts.closedTabs, "closedHistoryEntries": counts.closedEntries,
                    "problems": source.problems.map(\.description),
                    "onlyAdds": source.isIncomplete, "matched": merged.matched[index],
                    "changes": merged.sources[index],
                ], [path, format] + figures.map { "\($0)" })
        }
        return table
    }

    /// What is to be said of single files and sessions.
    private var remarks: [String] {
        let report = result.report
        var lines: [String] = []
        for (source, matched) in zip(report.sources, merged.matched) {
            let path = relative(source.path)
            lines += source.problems.map { "\(path): \($0.description)" }
            lines += matched.map { "\(path): matched with what was imported from \($0)" }
            if source.isIncomplete {
                lines.append("\(path): something is missing or may be, so the import only adds")
            }
        }
        lines += report.untaken.map { file in
            let detail = file.detail.isEmpty ? "" : ": \(file.detail)"
            return "\(relative(file.path)): not taken, \(file.reason.rawValue)\(detail)"
        }
        lines += report.profilesInUse.map {
            "\(relative($0)): a browser has this profile open, or had when it was ended; what it had "
                + "not written yet is not in it"
        }
        lines += report.notes
        if report.otherFiles == 1 { lines.append("1 file is no session file") }
        if report.otherFiles > 1 {
            let count = report.otherFiles.formatted(.number.locale(Locale(identifier: "en_US")))
            lines.append("\(count) files are no session files")
        }
        lines += refused.map { "session \($0.session): not saved: \($0.error)" }
        if merged.recordsGivenUp > 0 {
            let records = counted(merged.recordsGivenUp, "record")
            lines.append("given up, as it could not be read: \(records) of earlier imports")
        }
        return lines
    }

    /// The number of saved sessions that hold closed tabs.
    private var closedSessions: Int {
        saved.count {
            $0.attributes.closedAt != nil || $0.id.kind.onTheRecord == .recentlyClosed
        }
    }

    /// The conclusion: `12 sessions saved, 3 of them of closed tabs`.
    private var conclusion: String {
        if saved.isEmpty, refused.isEmpty, merged.totals.changesNothing {
            return isDryRun ? "nothing would be changed" : "nothing was changed"
        }
        let words = counted(saved.count, "session") + (isDryRun ? " would be saved" : " saved")
        switch closedSessions {
        case 0: return words
        case saved.count: return words + ", of closed tabs"
        default: return words + ", \(closedSessions) of them of closed tabs"
        }
    }
}

extension MergeCounts {
    /// Returns one line for each count that is not zero.
    func lines(isDryRun: Bool) -> [String] {
        func will(_ done: String) -> String { isDryRun ? "would be \(done)" : done }
        let lines = [
            (tabsAdded, "\(counted(tabsAdded, "tab")) \(will("added"))"),
            (
                ambiguous,
                "\(ambiguous) of them may have been imported before: several are alike"
            ),
            (
                tabsUpdated,
                "\(counted(tabsUpdated, "tab")) \(will("updated")), changed in the source"
            ),
            (
                sessionsUpdated,
                "\(counted(sessionsUpdated, "window")) \(will("updated")): names, groups or properties"
            ),
            (tabsRemoved, "\(counted(tabsRemoved, "tab")) \(will("removed")) by the replacement"),
            (unchanged, "\(counted(unchanged, "tab")) skipped, here already"),
            (
                kept,
                "\(counted(kept, "tab")) skipped, changed in the source and here: left as here"
            ),
            (
                unverified,
                "\(counted(unverified, "tab")) skipped, different in a file that lacks something: left as here"
            ),
            (closedHere, "\(counted(closedHere, "tab")) skipped, closed here since"),
            (
                goneInSource,
                "\(counted(goneInSource, "tab")) left, here and no longer open in the source"
            ),
        ]
        return lines.filter { $0.0 > 0 }.map(\.1)
    }
}
