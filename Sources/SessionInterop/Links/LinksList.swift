import BrowserSessions

/// A reader of the lines of a list.
struct LinksList {
    /// Consecutive lines without a blank line between them.
    private struct Block {
        var lines: [(number: Int, line: ListLine)] = []

        var links: Int {
            lines.count { if case .links = $0.line { true } else { false } }
        }

        /// A title above two or more links that is not the title of the first one. If it were, the
        /// other links would have titles, too.
        var title: String? {
            guard case .text(let title)? = lines.first?.line, links > 1, lines.count == links + 1
            else { return nil }
            return title
        }
    }

    private var sessions: ListedSessions
    private let isMarkdown: Bool
    /// Whether this package exported the list.
    private var isOwn = false
    private var hasHeadings = false
    private var texts = 0

    static func read(_ lines: [String], _ identity: SourceIdentity, _ limits: ImportLimits)
        -> SourceReading
    {
        var list = Self(
            sessions: ListedSessions(identity, limits),
            isMarkdown: lines.prefix(1_000).contains { ListLine.isMarkdown($0) })
        list.read(lines)
        return list.sessions.finish()
    }

    private mutating func read(_ lines: [String]) {
        let parsed = lines.map { ListLine($0, isMarkdown: isMarkdown) }
        hasHeadings = parsed.contains { if case .heading = $0 { true } else { false } }
        isOwn = hasHeadings && lines.prefix(4).contains { $0.hasPrefix("As of ") }
        let blocks = Self.blocks(parsed)
        let full = blocks.filter { $0.links > 0 }
        let isGrouped =
            !hasHeadings && full.count > 1
            && full.contains { $0.links > 1 && ($0.title != nil || $0.links == $0.lines.count) }
        var (above, isAfterHeading): (Block?, Bool) = (nil, false)
        for block in blocks where !block.lines.isEmpty {
            if case .heading(let level, let text) = block.lines[0].line {
                heading(level, text)
                isAfterHeading = true
                continue
            }
            if block.links == 0 {
                if let above { passOver(above) }
                above = block
                continue
            }
            let isTitle = above?.lines.count == 1 && isGrouped
            if let above, !isTitle { passOver(above) }
            if isOwn, !isAfterHeading { sessions.group(nil) }
            if isGrouped {
                sessions.group(
                    isTitle ? above?.lines.first.map { Self.text($0.line) } : block.title ?? "")
            }
            add(block, hasTitle: isGrouped && block.title != nil)
            (above, isAfterHeading) = (nil, false)
        }
        if let above { passOver(above) }
        if texts > 0 {
            sessions.reading.log.note(
                at: "the whole file", "\(counted(texts, "line")) of text beside the links")
        }
    }

    private static func blocks(_ lines: [ListLine]) -> [Block] {
        var blocks: [Block] = [Block()]
        for (index, line) in lines.enumerated() {
            switch line {
            case .comment: continue
            case .blank: if !blocks[blocks.count - 1].lines.isEmpty { blocks.append(Block()) }
            case .heading:
                blocks.append(Block(lines: [(index + 1, line)]))
                blocks.append(Block())
            default: blocks[blocks.count - 1].lines.append((index + 1, line))
            }
        }
        return blocks
    }

    private mutating func heading(_ level: Int, _ text: String) {
        if level > 2 { sessions.group(text) } else if !isOwn || level == 2 { sessions.window(text) }
    }

    private static func text(_ line: ListLine) -> String {
        if case .text(let text) = line { text } else { "" }
    }

    private mutating func passOver(_ block: Block) {
        for (number, line) in block.lines { passOver(line, number) }
    }

    /// Handles a line that is not a link. Lists have only links, but documents have other lines.
    private mutating func passOver(_ line: ListLine, _ number: Int) {
        if hasHeadings || isMarkdown {
            texts += isOwn && Self.text(line).hasPrefix("As of ") ? 0 : 1
        } else {
            sessions.reading.log.loss(at: "line \(number)", "there is no address in it; left out")
        }
    }

    private mutating func add(_ block: Block, hasTitle: Bool) {
        var title: (text: ListLine, number: Int)?
        for (number, line) in hasTitle ? block.lines.dropFirst() : block.lines[...] {
            guard case .links(let links) = line else {
                if let title { passOver(title.text, title.number) }
                title = (line, number)
                continue
            }
            for (index, link) in links.enumerated() {
                var text = link.title
                if index == 0, let above = title {
                    if text.isEmpty {
                        text = Self.text(above.text)
                    } else {
                        passOver(above.text, above.number)
                    }
                }
                add(link, text, number)
            }
            title = nil
        }
        if let title { passOver(title.text, title.number) }
    }

    private mutating func add(_ link: ListLine.Link, _ title: String, _ number: Int) {
        let location = "line \(number)"
        if link.hadSpaces {
            sessions.reading.log.repair(
                at: location, "the spaces of the address are written as %20")
        }
        sessions.tab(link.url, title == link.url ? "" : title, at: location) {
            $0.isPinned = link.isPinned
        }
        if link.isActive { sessions.activate() }
    }
}
