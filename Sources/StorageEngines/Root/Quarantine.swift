import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps damaged bytes for inspection: at most 5 items and 64 MiB for 30 days, but the newest item
/// stays whatever its size. The days are those of ``QuarantineAge``, not of the wall clock. Of the
/// incognito partition, only a sealed one that cannot be opened ever comes here.
struct Quarantine {
    static let maximumItems = 5
    static let maximumBytes = 64 << 20
    static let maximumAge: Int64 = 30 * 24 * 3600
    static let name = "quarantine"

    /// The store directory.
    let root: any FileDirectory
    /// In seconds since 1970.
    let now: Int64

    /// Moves files and directories out of the store directory, in that order, with a report beside them. Each
    /// arrives as a whole or stays.
    ///
    /// - Returns: what was removed to make space, in sentences.
    @discardableResult
    func move(
        _ names: [String], reason: String, _ report: [String]
    ) throws(StorageError) -> [String] {
        try keep(reason, report) { item throws(StorageError) in
            do throws(StorageError) {
                for name in names {
                    try root.rename(name, to: name, in: item, replacing: false)
                    try item.sync()
                    try root.sync()
                }
            } catch {
                for name in names {
                    try? item.rename(name, to: name, in: root, replacing: false)
                }
                throw error
            }
        }
    }

    /// Writes bytes to a file, with a report beside it.
    ///
    /// - Returns: what was removed to make space, in sentences.
    @discardableResult
    func keep(
        bytes: [UInt8], reason: String, _ report: [String]
    ) throws(StorageError) -> [String] {
        try keep(reason, report) { item throws(StorageError) in
            try item.create("records", with: bytes)
        }
    }

    /// Returns the paths of all items, oldest first.
    func items() throws(StorageError) -> [String] {
        guard let files = try files() else { return [] }
        return try itemNames(files).map { files.path(of: $0) }
    }

    /// Removes everything, so that nothing of it can be found.
    func purge() throws(StorageError) {
        guard let files = try files() else { return }
        for item in try files.names() { try remove(item, of: files) }
        try files.sync()
        let left = try files.names()
        guard left.isEmpty else {
            throw StorageError(
                .failed,
                "in '\(files.path)' are still: \(left.joined(separator: ", ")); remove them by hand",
                operation: "remove")
        }
    }

    /// Removes items that were set aside for a reason.
    func remove(setAsideFor reason: String) throws(StorageError) {
        guard let files = try files() else { return }
        let items = try files.names().filter { $0.hasSuffix("-\(reason)") }
        for item in items { try remove(item, of: files) }
        if !items.isEmpty { try files.sync() }
    }

    /// Removes an item; overwrites a key in it first.
    private func remove(_ name: String, of files: any FileDirectory) throws(StorageError) {
        if let item = try? files.directory(name) {
            for file in try item.names() where file.hasSuffix(".key") {
                // Only a possible key of ours is overwritten; others only lose their name here.
                guard let status = try item.status(of: file), status.kind == .file,
                    status.size < 1 << 16, status.links == 1, status.owner == item.user
                else { continue }
                try? item.open(file, mode: .overwrite).write(
                    [UInt8](repeating: 0, count: status.size))
            }
        }
        try files.remove(name)
    }

    /// Removes items over the limits of age, number and size, oldest first; names begin with the
    /// time.
    ///
    /// - Returns: what was removed, in sentences.
    @discardableResult
    func age() throws(StorageError) -> [String] {
        guard let files = try files() else { return [] }
        let names = try itemNames(files)
        let before = ages(in: files)
        var ages = before ?? QuarantineAge(now: now)
        ages.goOn(to: now, items: names)
        var items: [(name: String, bytes: Int)] = []
        for name in names {
            // No more than what alone is too much: files with holes can have any size.
            items.append((name, min(try files.bytes(of: name), Self.maximumBytes + 1)))
        }
        var (total, left) = (items.reduce(0) { $0 + $1.bytes }, items.count)
        var removed: [String] = []
        for item in items {
            let isTooOld = ages.age(of: item.name) > Self.maximumAge
            let isTooMuch =
                left > 1 && (left > Self.maximumItems || total > Self.maximumBytes)
            guard isTooOld || isTooMuch else { continue }
            try remove(item.name, of: files)
            removed.append(Self.sentence(item.name, isTooOld: isTooOld))
            left -= 1
            total -= item.bytes
        }
        if !removed.isEmpty { try files.sync() }
        if !names.isEmpty, ages != before {
            try files.replace(QuarantineAge.fileName, with: [UInt8](ages.text.utf8))
        }
        return removed
    }

    static func sentence(_ item: String, isTooOld: Bool) -> String {
        "'\(item)' was removed from the quarantine: "
            + (isTooOld ? "30 days have passed" : "there was too much in it")
    }

    /// Returns `nil` if there are no readable ages.
    func ages(in files: any FileDirectory) -> QuarantineAge? {
        guard let bytes = try? files.read(QuarantineAge.fileName) else { return nil }
        return QuarantineAge(text: String(decoding: bytes, as: UTF8.self))
    }

    private func itemNames(_ files: any FileDirectory) throws(StorageError) -> [String] {
        try files.names().filter {
            $0 != QuarantineAge.fileName && $0 != QuarantineAge.fileName + ".new"
        }
    }

    /// Returns `nil` if nothing was ever kept.
    private func files() throws(StorageError) -> (any FileDirectory)? {
        try root.has(Self.name) ? try root.directory(Self.name) : nil
    }

    private func keep(
        _ reason: String, _ report: [String],
        _ fill: (any FileDirectory) throws(StorageError) -> Void
    ) throws(StorageError) -> [String] {
        let files = try root.makeDurableDirectory(Self.name)
        let name = try newName(reason, in: files)
        let item = try files.makeDurableDirectory(name)
        do throws(StorageError) {
            let lines =
                ["reason: \(reason)", "time: \(Self.text(of: now))"]
                + report.map(\.inOneLine)
            try item.create("report.txt", with: [UInt8](lines.joined(separator: "\n").utf8))
            try fill(item)
        } catch {
            // Half an item is useless and would displace others. What could not be moved back
            // stays.
            for part in ["report.txt", "report.txt.new", "records", "records.new"] {
                try? item.removeEntry(part)
            }
            try? files.removeEntry(name)
            throw error
        }
        return (try? age()) ?? []
    }

    /// Returns a name after all existing ones, whatever the clock says:
    /// `20261121T093000Z-00001-damaged-store`.
    private func newName(_ reason: String, in files: any FileDirectory) throws(StorageError)
        -> String
    {
        let time = Self.text(of: now)
        let last = try files.names().compactMap(Rank.init).max()
        let rank = max(Rank(time: time), last?.next ?? Rank(time: time))
        let digits = "\(rank.number)"
        let zeros = String(repeating: "0", count: max(0, 5 - digits.count))
        return "\(rank.time)-\(zeros)\(digits)-\(reason)"
    }

    /// The beginning of an item's name, by which items are sorted.
    private struct Rank: Comparable {
        let time: String
        let number: StoredNumber

        /// Makes the first rank of a moment.
        init(time: String) { (self.time, number) = (time, .one) }

        /// Returns `nil` for names that are not an item's; an item's number always has a next one.
        init?(_ name: String) {
            let parts = name.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count > 2, parts[0].utf8.count == 16,
                let number = StoredNumber(decimal: parts[1]), number.adding(1) != nil
            else { return nil }
            (time, self.number) = (String(parts[0]), number)
        }

        private init(time: String, number: StoredNumber) {
            (self.time, self.number) = (time, number)
        }

        /// `nil` if there is no greater rank.
        var next: Rank? { number.adding(1).map { Rank(time: time, number: $0) } }

        static func < (left: Self, right: Self) -> Bool {
            (left.time, left.number) < (right.time, right.number)
        }
    }

    /// Returns a time as text: `20261121T093000Z`.
    private static func text(of time: Int64) -> String {
        var time = time_t(time)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))T"
            + "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }
}
