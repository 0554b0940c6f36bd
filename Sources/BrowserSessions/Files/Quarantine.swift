#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where copies of damaged bytes are kept for inspection.
///
/// At most 5 items, 64 MiB and 30 days, but the newest item always stays. Nothing of the incognito
/// side ever comes here.
struct Quarantine {
    static let maximumItems = 5
    static let maximumBytes = 64 << 20
    static let maximumAge = 30 * 24 * 3600

    let path: String

    init(in root: StoreRoot) { path = "\(root.path)/quarantine" }

    /// Copies a file or directory, with a report beside it, and returns the copy's place.
    func keep(_ original: String, reason: String, report: [String]) throws(StorageError) -> String {
        try keep(reason, report) { item throws(StorageError) in
            let name = original.split(separator: "/").last.map(String.init) ?? "original"
            try FileSystem.copy(original, to: "\(item)/\(name)")
        }
    }

    /// Writes bytes to a file, with a report beside it, and returns the item's place.
    func keep(bytes: [UInt8], reason: String, report: [String]) throws(StorageError) -> String {
        try keep(reason, report) { item throws(StorageError) in
            try FileSystem.replace("\(item)/records", with: bytes)
        }
    }

    private func keep(
        _ reason: String, _ report: [String], _ fill: (String) throws(StorageError) -> Void
    ) throws(StorageError) -> String {
        let item = try newItem(reason)
        do throws(StorageError) {
            try fill(item)
            try finish(item, reason, report)
        } catch {
            // Half a copy is of no use and would push others out.
            try? FileSystem.remove(item)
            throw error
        }
        return item
    }

    private func newItem(_ reason: String) throws(StorageError) -> String {
        try FileSystem.makeDirectory(path)
        let stem = "\(path)/\(Self.now())-\(reason)"
        var item = stem
        var number = 1
        while try FileSystem.exists(item) {
            number += 1
            item = "\(stem)-\(number)"
        }
        try FileSystem.makeDirectory(item)
        return item
    }

    private func finish(_ item: String, _ reason: String, _ report: [String])
        throws(StorageError)
    {
        let lines = ["reason: \(reason)", "time: \(Self.now())"] + report
        try FileSystem.replace(
            "\(item)/report.txt", with: [UInt8](lines.joined(separator: "\n").utf8))
        try FileSystem.syncDirectory(path)
        try evict(keeping: item)
    }

    /// Oldest first, until what is left keeps the bounds; names begin with the time.
    private func evict(keeping newest: String) throws(StorageError) {
        var items = try FileSystem.contents(of: path).map { "\(path)/\($0)" }
        items.removeAll { $0 == newest }
        var sizes: [Int] = []
        for item in items { sizes.append(try Self.size(of: item)) }
        var total = sizes.reduce(try Self.size(of: newest), +)
        let oldest = Int64(time(nil) - Self.maximumAge)
        for (item, size) in zip(items, sizes) {
            let modified = try FileSystem.status(item)?.modified ?? 0
            guard
                items.count + 1 > Self.maximumItems || total > Self.maximumBytes
                    || modified < oldest
            else { return }
            try FileSystem.remove(item)
            items.removeAll { $0 == item }
            total -= size
        }
    }

    private static func size(of path: String) throws(StorageError) -> Int {
        guard let status = try FileSystem.status(path) else { return 0 }
        guard status.kind == .directory else { return status.size }
        var total = 0
        for name in try FileSystem.contents(of: path) { total += try size(of: "\(path)/\(name)") }
        return total
    }

    /// `20261121T093000Z`.
    private static func now() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))T"
            + "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }
}
