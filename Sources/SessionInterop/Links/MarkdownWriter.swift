import BrowserSessions

/// A writer of headings for sessions and groups, with a list of links below each.
enum MarkdownWriter: FormatWriter {
    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) -> [ExportedFile] {
        let tabs = sessions.reduce(0) { $0 + $1.tabs.count }
        var text = "# \(counted(tabs, "tab"))\n\n"
        text += "As of \(time.inWords).\n"
        for section in ListedSection.all(of: sessions) {
            text += "\n## \(escaped(section.title))\n"
            for run in section.runs {
                text += run.group.map { "\n### \(escaped(Shown.title(of: $0)))\n\n" } ?? "\n"
                for tab in run.tabs { text += line(tab, in: section.session) + "\n" }
            }
        }
        return [ExportedFile(path: "", bytes: Array(text.utf8))]
    }

    private static func line(_ tab: ExportedTab, in session: ExportedSession) -> String {
        var marks: [String] = []
        if tab.metadata.id == session.attributes.activeTab { marks.append("active") }
        if tab.metadata.isPinned { marks.append("pinned") }
        let title = escaped(Shown.title(of: tab.metadata))
        let url = tab.metadata.url
        // An address that would run something, or that leads nowhere from here, is not a link.
        let link =
            HTMLText.target(url) == nil
            ? "\\[\(title)\\] \(escaped(url))" : "[\(title)](<\(target(url))>)"
        return "- " + link + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
    }

    /// Returns text on one line, in which Markdown and HTML have no meaning.
    static func escaped(_ text: String) -> String {
        text.escapedForMarkdown(usingEntities: false)
    }

    /// Returns an address between angle brackets. Characters that would end it are percent-encoded.
    static func target(_ url: String) -> String {
        url.unicodeScalars.map { scalar in
            let mayStay = scalar.value > 0x20 && !"<>\\\u{7F}".unicodeScalars.contains(scalar)
            return mayStay
                ? String(scalar) : "%" + hexadecimal(UInt8(scalar.value)).uppercased()
        }.joined()
    }
}
