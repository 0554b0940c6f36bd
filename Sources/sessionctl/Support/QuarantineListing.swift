import BackendSelection
import BrowserSessions
import CommandLineSupport
import StorageEngines
import ToolSupport

/// What was set aside, as printed.
struct QuarantineListing: Encodable {
    /// A page with the address and the title that can be read.
    struct Page: Encodable, Hashable {
        var url: String
        var title: String
    }

    /// The name of the item.
    var item: String
    var path: String
    var bytes: Int
    /// The report that was written with it.
    var report: [String]
    /// The whole days until it is removed, by the store's own count; `nil` if the count has not begun.
    var daysLeft: Int?
    /// The pages that can be read in the bytes, without duplicates.
    var pages: [Page]

    init(_ item: QuarantinedItem) throws(StorageError) {
        self.item = item.name
        path = item.path
        bytes = item.bytes
        report = item.report
        daysLeft = item.left.map { Int(min($0.components.seconds / 86_400, 10_000)) }
        pages =
            if let records = item.records {
                ReadablePages.pages(inRecords: records)
            } else { try ReadablePages.pages(below: item.path) }
    }

    /// Returns what the selected store set aside, oldest first.
    ///
    /// Throws `notFound` if there is no store.
    static func items(of selection: ResolvedSelection) async throws -> [QuarantineListing] {
        guard let folder = selection.folder else {
            let items = try await withOpen(selection, to: .look) { store in
                try await Self.store(below: store)?.quarantine() ?? []
            }
            return try items.map(QuarantineListing.init)
        }
        guard try selection.backend.hasStore(at: folder) else {
            throw StorageError(
                .notFound,
                "there is no store of backend '\(selection.backend.name)' at '\(folder)'",
                operation: "quarantine")
        }
        var items: [QuarantineListing] = []
        for item in try QuarantinedItem.items(ofStoreAt: folder) {
            items.append(try QuarantineListing(item))
        }
        return items
    }

    private static func store(below store: any SessionStorage) -> OrderedSessionStorage? {
        if let decorator = store as? any StorageDecorator {
            return Self.store(below: decorator.base)
        }
        return store as? OrderedSessionStorage
    }

    private var expiry: String {
        daysLeft.map { $0 == 0 ? "less than a day" : counted($0, "day") } ?? "30 days"
    }

    static func table(_ items: [QuarantineListing]) -> TextTable {
        var table = TextTable(
            [
                .init(heading: "item"), .init(heading: "size", isNumber: true),
                .init(heading: "goes in"), .init(heading: "pages", isNumber: true),
                .init(heading: "such as", least: 12),
            ], ifEmpty: "nothing was set aside")
        for item in items {
            let first = item.pages.first.map { $0.title.isEmpty ? $0.url : $0.title } ?? "-"
            let size = ByteWords.words(item.bytes)
            let cells = [item.item, size, item.expiry, "\(item.pages.count)", first]
            table.add(TextTable.Row(item, cells))
        }
        return table
    }

    var answer: Answer {
        var table = TextTable(
            [.init(least: 12), .init(least: 16)], ifEmpty: "no page can be read in it")
        for page in pages { table.add([page.title.isEmpty ? "-" : page.title, page.url]) }
        return Answer(
            value: self, "\(item)  \(ByteWords.words(bytes)), goes in \(expiry)", path, report,
            pages.isEmpty ? nil : "\(counted(pages.count, "page")):", table)
    }
}

/// The pages that can be read in damaged bytes: what looks like an address in a record, with the title
/// behind it.
enum ReadablePages {
    private typealias Page = QuarantineListing.Page

    /// Returns the pages in all records, as ``pages(below:)`` does.
    static func pages(inRecords records: [[UInt8]]) -> [QuarantineListing.Page] {
        unique(records.flatMap { pages(in: $0) })
    }

    /// Returns the pages in all files below a folder. At most 10,000, and none of what is encrypted or
    /// compressed.
    static func pages(below folder: String) throws(StorageError) -> [QuarantineListing.Page] {
        var found: [Page] = []
        for name in try FileSystem.contents(of: folder) where name != "report.txt" {
            let path = "\(folder)/\(name)"
            switch try FileSystem.status(path)?.kind {
            case .directory: found += try pages(below: path)
            case .file: found += try pages(in: FileSystem.read(path))
            case .link, .other, nil: break
            }
        }
        return unique(found)
    }

    private static func unique(_ pages: [Page]) -> [Page] {
        var seen: Set<Page> = []
        return Array(pages.filter { seen.insert($0).inserted }.prefix(10_000))
    }

    /// Returns the pages in bytes: field 2 of a tab's record, which is an address, and field 3.
    static func pages(in bytes: [UInt8]) -> [QuarantineListing.Page] {
        var pages: [Page] = []
        var place = 0
        while place < bytes.count {
            guard bytes[place] == 0x12, let url = text(in: bytes, at: place + 1),
                isAddress(url.text)
            else {
                place += 1
                continue
            }
            place = url.end
            var title = ""
            if place < bytes.count, bytes[place] == 0x1A, let next = text(in: bytes, at: place + 1)
            {
                (title, place) = (next.text, next.end)
            }
            pages.append(Page(url: url.text, title: title))
        }
        return pages
    }

    /// Returns the text of a field behind its length; `nil` if there is none, or it is longer than any
    /// address that people read.
    private static func text(in bytes: [UInt8], at start: Int) -> (text: String, end: Int)? {
        var (length, shift, place) = (0, 0, start)
        while place < bytes.count, shift < 21 {
            let byte = bytes[place]
            length |= Int(byte & 0x7F) << shift
            (place, shift) = (place + 1, shift + 7)
            guard byte < 0x80 else { continue }
            guard length > 0, length <= 1 << 16, length <= bytes.count - place,
                let text = String(validating: bytes[place..<place + length], as: UTF8.self)
            else { return nil }
            return (text, place + length)
        }
        return nil
    }

    private static func isAddress(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        return (2...16).contains(scheme.count) && scheme.count < text.utf8.count
            && scheme.allSatisfy { (97...122).contains($0) || $0 == 45 || (48...57).contains($0) }
            && !text.utf8.contains { $0 < 0x20 }
    }
}
