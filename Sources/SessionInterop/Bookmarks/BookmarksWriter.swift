import BrowserSessions

/// A writer of the bookmarks file that browsers import: a folder per session and group.
enum BookmarksWriter: FormatWriter {
    static func takes(_ address: String) -> Bool { !address.isEmpty && !runs(address) }

    /// Returns whether a click on the address would run something. Ignores white space and control
    /// characters, as browsers do. A list of places should have no such address.
    private static func runs(_ address: String) -> Bool {
        var scheme = String.UnicodeScalarView()
        for scalar in address.unicodeScalars where scalar.value > 0x20 && scalar.value < 0x7F {
            if scalar == ":" { break }
            scheme.append(scalar)
        }
        return ["javascript", "data", "vbscript"].contains(String(scheme).lowercased())
    }

    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) -> [ExportedFile] {
        var text = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            <TITLE>Bookmarks</TITLE>
            <H1>Bookmarks</H1>
            <DL><p>

            """
        for section in ListedSection.all(of: sessions) {
            let created = date("ADD_DATE", section.session.attributes.createdAt)
            text += "    <DT><H3\(created)>\(escaped(section.title))</H3>\n    <DL><p>\n"
            for run in section.runs {
                let indent = String(repeating: " ", count: run.group == nil ? 8 : 12)
                if let group = run.group {
                    text += "        <DT><H3>\(escaped(Shown.title(of: group)))</H3>\n"
                    text += "        <DL><p>\n"
                }
                for tab in run.tabs { text += indent + line(tab.metadata) + "\n" }
                if run.group != nil { text += "        </DL><p>\n" }
            }
            text += "    </DL><p>\n"
        }
        text += "</DL><p>\n"
        return [ExportedFile(path: "", bytes: Array(text.utf8))]
    }

    private static func line(_ metadata: TabMetadata) -> String {
        let icon =
            metadata.faviconURL.isEmpty
            ? "" : " ICON_URI=\"\(escaped(metadata.faviconURL))\""
        return "<DT><A HREF=\"\(escaped(metadata.url))\"" + date("ADD_DATE", metadata.createdAt)
            + date("LAST_VISIT", metadata.lastActiveAt) + icon
            + ">\(escaped(Shown.title(of: metadata)))</A>"
    }

    private static func date(_ name: String, _ time: Timestamp) -> String {
        time == .unknown ? "" : " \(name)=\"\(time.microseconds / 1_000_000)\""
    }

    /// Returns text on one line, in which markup has no meaning.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map {
            $0.value < 0x20 || $0.value == 0x7F ? " " : $0.escapedForMarkup
        }.joined()
    }
}
