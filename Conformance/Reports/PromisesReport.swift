import BrowserSessions

extension ConformanceReport {
    /// A page for readers who choose a backend: the promises about kills, power loss, failing
    /// calls, and damage, how they were tried, and the results.
    var promises: String {
        let names = harnesses.map(\.name)
        var lines = ["# What we promise, and how it is tested", ""]
        lines += [
            Self.introduction, "",
            "Written by this command, which anyone can repeat:", "", "```sh", command, "```", "",
            "| Promise | \(names.joined(separator: " | ")) |",
            "|---|" + String(repeating: "---|", count: names.count),
        ]
        lines += harnesses.first?.requirements.filter(Self.isPromise).map(row) ?? []
        let known = harnesses.flatMap { report in
            report.requirements.filter(Self.isPromise).flatMap(\.cases).filter(\.verdict.isNotable)
                .map { "- \(report.name), \($0.id): \(Self.words($0))" }
        }
        if !known.isEmpty { lines += ["", "## What is not kept yet", ""] + known }
        return (lines + ["", Self.others, "", Self.limits]).joined(separator: "\n") + "\n"
    }

    /// The topics of the page.
    private static let promised: [RequirementGroup] = [.crash, .power, .fault, .recovery]

    private static func isPromise(_ requirement: RequirementReport) -> Bool {
        promised.contains(requirement.group)
    }

    private var command: String {
        let depth = harnesses.first?.depth ?? .full
        let seed = harnesses.first?.seed ?? 1
        let groups = Self.promised.map(\.rawValue).joined(separator: ",")
        return "storagecheck --group \(groups) --seed \(seed) --depth \(depth.rawValue) "
            + "--format promises" + (baseline.map { " --baseline \($0)" } ?? "")
    }

    private func row(_ requirement: RequirementReport) -> String {
        let cells = harnesses.map { report in
            guard let found = report.requirements.first(where: { $0.id == requirement.id }) else {
                return ""
            }
            let notes = found.cases.flatMap(\.evidence.notes)
            return ([found.verdict == .passed ? "kept" : found.verdict.words] + notes)
                .map { $0.escapedForMarkdown() }.joined(separator: "<br>")
        }
        let sentence = requirement.statement.escapedForMarkdown(keeping: "`")
        return "| \(requirement.id) (\(requirement.level.rawValue)): \(sentence) | "
            + cells.joined(separator: " | ") + " |"
    }

    private static func words(_ found: CaseReport) -> String {
        let message = (found.message ?? found.verdict.words).escapedForMarkdown()
        return found.reason.map { "\($0.escapedForMarkdown()). Seen: \(message)" } ?? message
    }

    private static let introduction = """
        A save that is acknowledged at `processCrash` survives the end of its process at any moment, \
        one at `powerLoss` a power cut at any moment. Whatever happens, what comes back is the state \
        after one save, never a mixture, and an ordinary kill or cut never reads as damage.

        Power cuts are simulated: all that a process does to the files of a store is written down in \
        its true order, C libraries included; then what a cut may leave is laid down and opened again. \
        Of what was not synced any part may be there: pages torn between sectors of 512 bytes, \
        lengths without contents, zeros, garbage or any of the bytes in what was being written, names in \
        their order (as ext4 and XFS keep them) or in any. What a failed sync should have written is \
        lost, though the system still shows it.
        """

    private static let others = """
        ## Beside others

        | | Promises | Tests it by |
        |---|---|---|
        | SQLite | transactions survive a crash and, at `synchronous=FULL` in WAL mode or `EXTRA` with \
        a rollback journal, a power cut | failing each allocation and each call in turn, a file \
        system that forgets in a child process, faults within recovery, fuzzing |
        | LevelDB | writes with `sync=true` survive a power cut | dropping what was not synced, and \
        files made since the last sync of their directory; no torn or reordered writes |
        | Firefox | nothing about power: sessions are written without a sync every 15 seconds | unit \
        tests of its files |
        | Chromium | nothing about power: its log of commands is not flushed | unit tests, two damaged \
        inputs |
        """

    private static let limits = """
        ## Not covered

        Disks that acknowledge more than one flush and do not do it; bytes that change in other places \
        than in the sectors beside the last write; memory that fails. Failing reads of mapped files. \
        Subsets of more than a few pending pages, names and lengths are sampled, not tried one by one. \
        Writes through shared mappings or io\\_uring, and programs without the GNU C library: \
        there the requirements say *not applicable*, never *kept*.
        """
}
