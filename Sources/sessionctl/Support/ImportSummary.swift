import BrowserSessions
import CommandLineSupport
import SessionInterop

/// The printed result of an import. Open and closed sessions and tabs are counted separately.
struct ImportSummary: Codable {
    struct Source: Codable {
        var path: String
        var format: String
        var windows: Int
        var tabs: Int
        var historyEntries: Int
        var closedWindows: Int
        var closedTabs: Int
        var closedHistoryEntries: Int
        var problems: [String]
        /// Whether the file lacks something, or may.
        var onlyAdds: Bool
        /// The profiles and files of the earlier imports that it was matched with.
        var matched: [String]
        /// The counts of what is new in the store and of what it already held.
        var changes: MergeCounts
    }

    struct Untaken: Codable {
        var path: String
        var format: String?
        var reason: String
        var detail: String
    }

    struct Unsaved: Codable {
        var session: String
        var error: String
    }

    /// Whether nothing was saved. The other values then describe what would be saved.
    var isDryRun: Bool
    /// The number of saved sessions. Only sessions that changed are saved.
    var sessions: Int
    /// The number of these sessions that hold closed tabs.
    var closedSessions: Int
    /// All changes in the store.
    var changes: MergeCounts
    var recordsGivenUp: Int
    var unsaved: [Unsaved]
    var sources: [Source]
    var untaken: [Untaken]
    var profilesInUse: [String]
    var otherFiles: Int
    var notes: [String]

    /// Creates the summary, with paths relative to the imported path.
    init(
        _ result: SessionImport, of root: String, _ plan: ImportPlan,
        _ refused: [ImportPlan.Refusal] = [], isDryRun: Bool
    ) {
        let report = result.report
        let prefix = root.hasSuffix("/") ? root : root + "/"
        func relative(_ path: String) -> String {
            if root == "-" { return "standard input" }
            return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
        }
        self.isDryRun = isDryRun
        let refusedIDs = Set(refused.map(\.session))
        let changed = Set(plan.changedSessions).subtracting(refusedIDs)
        let saved = result.sessions.filter { changed.contains($0.id) }
        sessions = saved.count
        closedSessions = saved.count {
            $0.attributes.closedAt != nil || $0.id.kind.onTheRecord == .recentlyClosed
        }
        let merged = plan.report(without: refused)
        changes = merged.totals
        recordsGivenUp = merged.recordsGivenUp
        unsaved = refused.map { Unsaved(session: "\($0.session)", error: "\($0.error)") }
        notes = report.notes
        otherFiles = report.otherFiles
        profilesInUse = report.profilesInUse.map { relative($0) }
        untaken = report.untaken.map { file in
            Untaken(
                path: relative(file.path), format: file.format?.rawValue,
                reason: file.reason.rawValue, detail: file.detail)
        }
        sources = report.sources.enumerated().map { index, source in
            Source(
                source, path: relative(source.path), matched: merged.matched[index],
                changes: merged.sources[index])
        }
    }
}

extension ImportSummary.Source {
    fileprivate init(
        _ source: ImportedSource, path: String, matched: [String], changes: MergeCounts
    ) {
        let counts = source.counts
        self.init(
            path: path, format: source.format.rawValue,
            windows: counts.windows, tabs: counts.tabs, historyEntries: counts.entries,
            closedWindows: counts.closedWindows, closedTabs: counts.closedTabs,
            closedHistoryEntries: counts.closedEntries,
            problems: source.problems.map(\.description), onlyAdds: source.isIncomplete,
            matched: matched, changes: changes)
    }
}

// MARK: - Text

extension ImportSummary {
    var lines: [String] {
        var lines = table.lines
        for source in sources {
            lines += source.problems.map { "\(source.path): \($0)" }
            lines += source.matched.map {
                "\(source.path): matched with what was imported from \($0)"
            }
            if source.onlyAdds {
                lines.append(
                    "\(source.path): something is missing or may be, so the import only adds")
            }
        }
        lines += untaken.map { file in
            let detail = file.detail.isEmpty ? "" : ": \(file.detail)"
            return "\(file.path): not taken, \(file.reason)\(detail)"
        }
        lines += profilesInUse.map {
            "\($0): a browser has this profile open, or had when it was ended; what it had "
                + "not written yet is not in it"
        }
        lines += notes
        if otherFiles > 0 {
            let count = Self.grouped(otherFiles)
            lines.append(
                otherFiles == 1
                    ? "1 file is no session file" : "\(count) files are no session files")
        }
        lines += unsaved.map { "session \($0.session): not saved: \($0.error)" }
        if recordsGivenUp > 0 {
            let records = counted(recordsGivenUp, "record")
            lines.append("given up, as it could not be read: \(records) of earlier imports")
        }
        return lines + changes.lines(isDryRun: isDryRun) + [conclusion]
    }

    private var table: TextTable {
        let numbers = [
            "windows", "tabs", "history", "closed windows", "closed tabs", "closed history",
        ]
        var table = TextTable(
            [.init(heading: "file", least: 12), .init(heading: "format")]
                + numbers.map { .init(heading: $0, isNumber: true) })
        for source in sources {
            let counts = [
                source.windows, source.tabs, source.historyEntries, source.closedWindows,
                source.closedTabs, source.closedHistoryEntries,
            ]
            table.add([source.path, source.format] + counts.map { "\($0)" })
        }
        return table
    }

    /// The conclusion: `12 sessions saved, 3 of them of closed tabs`.
    private var conclusion: String {
        if sessions == 0, unsaved.isEmpty, changes.changesNothing {
            return isDryRun ? "nothing would be changed" : "nothing was changed"
        }
        let saved = counted(sessions, "session") + (isDryRun ? " would be saved" : " saved")
        switch closedSessions {
        case 0: return saved
        case sessions: return saved + ", of closed tabs"
        default: return saved + ", \(closedSessions) of them of closed tabs"
        }
    }

    /// Returns a number with grouped digits: `1,234`.
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.enumerated().map { index, digit in
            let isGroup = index > 0 && (digits.count - index) % 3 == 0
            return isGroup ? ",\(digit)" : "\(digit)"
        }.joined()
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
