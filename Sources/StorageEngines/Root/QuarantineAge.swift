/// The ages of quarantined items, by a count of the store's own.
///
/// A wrong wall clock would remove the only copy of damaged bytes. The count advances with the
/// clock from one opening to the next, by at most ``longestGap`` and never back, and an item ages
/// from when it was first seen.
struct QuarantineAge: Equatable {
    /// The longest time that is believed to have passed between two openings, in seconds.
    static let longestGap: Int64 = 2 * 24 * 3600

    /// In seconds.
    private(set) var count: Int64 = 0
    /// The wall-clock time of the last count, in seconds since 1970.
    private(set) var seen: Int64
    /// The count when each item was first seen.
    private(set) var marks: [String: Int64] = [:]

    /// Begins a new count.
    init(now: Int64) { seen = now }

    init(count: Int64, seen: Int64, marks: [String: Int64] = [:]) {
        (self.count, self.seen, self.marks) = (max(0, count), seen, marks)
    }

    /// Advances the count for these items, and forgets all others.
    mutating func goOn(to now: Int64, items: [String]) {
        let (gap, isFar) = now.subtractingReportingOverflow(seen)
        let believed =
            isFar ? (now > seen ? Self.longestGap : 0) : min(max(gap, 0), Self.longestGap)
        let (sum, isFull) = count.addingReportingOverflow(believed)
        if !isFull { count = sum }
        seen = now
        marks = Dictionary(
            items.map { ($0, min(marks[$0] ?? count, count)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the age of an item in seconds.
    func age(of item: String) -> Int64 { count - (marks[item] ?? count) }
}

// MARK: - Text

extension QuarantineAge {
    /// The name of the file beside the items.
    static let fileName = "ages"

    /// The count as `count SECONDS`, `seen SECONDS`, and `SECONDS NAME` for each item.
    ///
    /// No item of ours has a line break in its name; one with a break stays young.
    var text: String {
        let items = marks.filter { $0.key.utf8.allSatisfy { $0 >= 0x20 } }
            .sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return (["count \(count)", "seen \(seen)"] + items).joined(separator: "\n") + "\n"
    }

    /// Returns `nil` if the text is incomplete: then every item counts as new.
    init?(text: String) {
        let lines = text.split(separator: "\n").map {
            $0.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        }
        guard text.hasSuffix("\n"), lines.count >= 2, lines.allSatisfy({ $0.count == 2 }),
            lines[0][0] == "count", let count = Int64(lines[0][1]), count >= 0,
            lines[1][0] == "seen", let seen = Int64(lines[1][1])
        else { return nil }
        self.init(count: count, seen: seen)
        for line in lines.dropFirst(2) {
            guard let mark = Int64(line[0]), mark >= 0 else { return nil }
            marks[String(line[1])] = mark
        }
    }
}
