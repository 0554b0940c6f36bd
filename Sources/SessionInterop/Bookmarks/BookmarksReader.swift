import BrowserSessions
import Foundation

extension SessionFormat {
    /// The bookmarks file that browsers write, as HTML.
    public static let bookmarks = SessionFormat(
        "bookmarks", BookmarksReader.self, writer: .bookmarks)
}

extension ExportFormat {
    /// The bookmarks file that every browser imports: a folder per window and group.
    public static let bookmarks = ExportFormat(
        "bookmarks", for: .people, BookmarksWriter.self, fileName: "bookmarks.html",
        holds: [
            .groups, .windowTitles, .icons, .creationTimes, .lastUseTimes, .closedWindows,
            .closedTabs, .inactiveTabs, .setAsideTabs, .incognitoTabs,
        ])
}

/// A reader of the bookmarks file of browsers, and of that of ``BookmarksWriter``: a window for each
/// folder, and a group for each folder inside it.
struct BookmarksReader: FileReader {
    private static let doctype = "<!doctype netscape-bookmark-file-1"

    static let beginnings = [Array("<".utf8)]

    static func recognizes(_ head: SourceHead) -> Bool {
        String(decoding: head.start.prefix(4096), as: UTF8.self).lowercased().hasPrefix(doctype)
    }

    let limits: ImportLimits
    private var sessions: ListedSessions
    private var folders: [String] = []
    /// The name of the folder that opens next.
    private var next: String?

    static func read(_ file: [UInt8], name: String, limits: ImportLimits) -> SourceReading {
        var reader = Self(
            limits: limits,
            sessions: ListedSessions(SourceIdentity(.bookmarks, content: file), limits))
        let text = MarkupText.decoded(file)
        reader.read(text.bytes)
        if let note = text.note { reader.sessions.reading.log.repair(at: "the whole file", note) }
        var reading = reader.sessions.finish()
        if reading.drafts.isEmpty {
            reading.log.note(at: "the whole file", "there is no bookmark")
        }
        return reading
    }

    private mutating func read(_ bytes: [UInt8]) {
        var scanner = MarkupScanner(bytes)
        var open: MarkupScanner.Tag?
        var start = 0
        var parts = 0
        while let tag = scanner.next() {
            parts += 1
            guard parts <= limits.maximumParts else {
                sessions.reading.log.loss(
                    at: "byte \(tag.range.lowerBound)", "marks over the limit are left out")
                return
            }
            switch tag.name {
            case "h3", "a": (open, start) = (tag, tag.range.upperBound)
            case "/h3", "/a":
                guard let opened = open else { continue }
                let text = MarkupText.plain(bytes[start..<tag.range.lowerBound])
                if opened.name == "a" { link(opened, text) } else { next = text }
                open = nil
            case "dl": enter()
            case "/dl": leave()
            default: continue
            }
        }
        if !folders.isEmpty {
            sessions.reading.log.loss(at: "byte \(bytes.count)", "the file ends within a folder")
        }
    }

    private mutating func enter() {
        // The outermost list has no name.
        guard let name = next ?? (folders.isEmpty ? "" : nil) else {
            folders.append("")
            return
        }
        folders.append(name)
        next = nil
        let names = folders.dropFirst()
        if names.count == 1 { sessions.window(names.first ?? "") }
        if names.count > 1 { sessions.group(groupTitle(of: names.dropFirst())) }
        isStale = false
    }

    private mutating func leave() {
        _ = folders.popLast()
        next = nil
        isStale = true
    }

    /// The maximum length of a title in bytes. Otherwise, nested folders would enlarge a small file.
    private static let longestTitle = 400

    private var hasShortTitles = false

    /// Returns the names of the folders that lead to the innermost one, as many as fit.
    private mutating func groupTitle(of folders: ArraySlice<String>) -> String {
        var (kept, count): ([String], Int) = ([], 0)
        var isShort = false
        for name in folders.reversed() {
            isShort = name.utf8.count > Self.longestTitle
            let part = isShort ? String(name.unicodeScalars.prefix(Self.longestTitle / 4)) : name
            count += part.utf8.count + 3
            guard kept.isEmpty || count + "…".utf8.count <= Self.longestTitle else {
                kept.append("…")
                isShort = true
                break
            }
            kept.append(part)
            if isShort { break }
        }
        if isShort, !hasShortTitles {
            hasShortTitles = true
            sessions.reading.log.repair(
                at: "the whole file", "names of folders are left out of groups with long names")
        }
        return kept.reversed().joined(separator: " / ")
    }

    /// Whether a folder has ended, so that its owner continues.
    private var isStale = false

    private mutating func link(_ tag: MarkupScanner.Tag, _ title: String) {
        let location = "byte \(tag.range.lowerBound)"
        guard let url = tag.attributes["href"], !url.isEmpty else {
            sessions.reading.log.loss(at: location, "a bookmark has no address and is left out")
            return
        }
        if isStale {
            isStale = false
            // Links next to folders belong to what holds both.
            if folders.count > 2 {
                sessions.group(groupTitle(of: folders.dropFirst(2)))
            } else if folders.count == 2 {
                sessions.group(nil)
            } else {
                sessions.window("")
            }
        }
        func time(_ name: String) -> Timestamp {
            tag.attributes[name].flatMap { Double($0) }.map { Timestamp(seconds: $0, since: 0) }
                ?? .unknown
        }
        sessions.tab(url, title == url ? "" : title, at: location) { tab in
            tab.createdAt = time("add_date")
            tab.lastActiveAt = time("last_visit")
            tab.faviconURL = tag.attributes["icon_uri"] ?? tag.attributes["icon"] ?? ""
        }
    }
}
