import BrowserSessions

extension SessionFormat {
    /// A table or a list of links, including Markdown, with its titles, groups and windows.
    public static let links = SessionFormat("links", LinksFormat.self, writer: .markdown)
}

extension ExportFormat {
    /// Headings and lists of links for people.
    public static let markdown = ExportFormat(
        "markdown", for: .people, MarkdownWriter.self, fileName: "sessions.md",
        holds: [
            .activeTabs, .pins, .groups, .windowTitles, .closedWindows, .closedTabs,
            .inactiveTabs, .setAsideTabs, .incognitoTabs,
        ])
}

/// A reader of tables and lists of links.
///
/// A table has the header `file<TAB>section<TAB>title<TAB>url`: a window for each file, a group for
/// each section. A list has one address per line. The address is alone, has a title before or after
/// it, separated by a tab, ` | ` or a dash, is a Markdown link, or has its title on the line before.
/// Blank lines divide a list into groups. Markdown headings divide it into windows and groups. In
/// other texts, lines that begin with `#` are skipped.
enum LinksFormat: FileReader {
    private static let header = Array("file\tsection\ttitle\turl".utf8)
    private static let suffixes = [
        ".tsv", ".txt", ".urls", ".links", ".list", ".md", ".markdown", ".csv",
    ]

    static let beginnings = [header]

    static func mayRecognize(_ start: SourceHead) -> Bool {
        start.begins(like: self) || hasName(start)
    }

    private static func hasName(_ head: SourceHead) -> Bool {
        suffixes.contains { head.name.lowercased().hasSuffix($0) }
    }

    /// Returns whether a file has a table's header, or a list's name and addresses in half its lines.
    static func recognizes(_ head: SourceHead) -> Bool {
        if head.text.starts(with: header) { return true }
        guard hasName(head) else { return false }
        var lines = head.text.split(separator: 0x0A)
        if head.bytes.count == SourceHead.maximumBytes, lines.count > 1 { lines.removeLast() }
        return form(of: lines) != nil
    }

    static func read(_ file: [UInt8], name: String, limits: ImportLimits) -> SourceReading {
        let text = SourceText(file)
        let identity = SourceIdentity(.links, content: file)
        var lines = text.bytes.split(
            separator: 0x0A, maxSplits: limits.maximumParts, omittingEmptySubsequences: false)
        let isCut = lines.count > limits.maximumParts && !lines.removeLast().isEmpty
        let hasHeader = lines.first?.starts(with: header) == true
        var reading =
            hasHeader || form(of: lines.prefix(1_000)) == .table
            ? LinksTable.read(lines, hasHeader: hasHeader, identity, limits)
            : LinksList.read(
                lines.map { String(decoding: $0, as: UTF8.self) }, identity, limits)
        if let note = text.note { reading.log.repair(at: "the whole file", note) }
        if isCut {
            reading.log.loss(
                at: "line \(lines.count + 1)", "lines over the limit are left out")
        }
        if reading.drafts.isEmpty { reading.log.note(at: "the whole file", "there is no link") }
        return reading
    }

    /// The form of a text's lines, if at least half of them are links.
    private enum Form { case list, table }

    /// Returns the form, determined by the fields of the lines because the header of a table may be
    /// damaged; `nil` if fewer than half of the lines have an address.
    private static func form(of lines: some Collection<ArraySlice<UInt8>>) -> Form? {
        var (list, table, all) = (0, 0, 0)
        let texts = lines.map { String(decoding: $0, as: UTF8.self) }
        let isMarkdown = texts.contains { ListLine.isMarkdown($0) }
        for text in texts {
            let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
            let line = ListLine(text, isMarkdown: isMarkdown)
            switch line {
            case .blank, .comment, .heading: continue
            case .links(let links) where fields.count != 4 && !links.allSatisfy(\.isLoose):
                list += 1
            default: break
            }
            all += 1
            if fields.count == 4, LinkAddress.isAddress(String(fields[3])) { table += 1 }
        }
        guard 2 * max(list, table) >= max(all, 1) else { return nil }
        return table > list ? .table : .list
    }
}
