import BrowserSessions

/// How old what the store keeps is, by a count of its own.
///
/// A wall clock may be wrong by years, and what is deleted by it is gone. So whatever is deleted for its
/// age is aged by this count, from when this store first saw it. While a process runs the count follows
/// the clock of its delays; between two processes it goes on with the wall clock, by ``longestGap`` at most
/// and never back. It is noted with each launch, under a name of its own: a mark of another count, such as
/// one that was imported, says nothing here.
final class StoreAge {
    /// A mark of the count, as it is saved with a record.
    struct Mark: Hashable {
        let counter: UInt64
        /// In microseconds; each mark of a count is greater than those before it.
        let value: Int64
    }

    /// More time than this is not believed to have passed between two launches.
    static let longestGap = Duration.seconds(2 * 24 * 60 * 60)

    private(set) var counter: UInt64
    private let watch: any Stopwatch
    private var base: Int64 = 0
    private var last: Int64 = 0

    init(clock: any Clock<Duration>) {
        counter = UInt64.random(in: 1...UInt64.max)
        watch = stopwatch(clock)
    }

    /// Goes on with the count of the process before this one.
    ///
    /// - Parameters:
    ///   - mark: the count when that process wrote its last note.
    ///   - gap: how much later it is now by the wall clock.
    func goOn(from mark: Mark, after gap: Duration) {
        counter = mark.counter
        let gap = min(max(gap, .zero), Self.longestGap)
        // The time since it was made is a part of the gap.
        base = sum(mark.value, max(gap - watch.elapsed, .zero))
        last = max(last, base)
    }

    /// A mark of this count was found: no later one is less, unless it cannot be one of an earlier time.
    func raise(to mark: Mark) {
        let limit = sum(now.value, Self.longestGap)
        if mark.counter == counter, mark.value <= limit { last = max(last, mark.value) }
    }

    /// The count now.
    var now: Mark { reader.now }

    /// The count for another thread: it goes on from what is known now.
    var reader: Reader { Reader(counter: counter, base: base, last: last, watch: watch) }

    struct Reader: Sendable {
        fileprivate let counter: UInt64
        fileprivate let base: Int64
        fileprivate let last: Int64
        fileprivate let watch: any Stopwatch

        var now: Mark { Mark(counter: counter, value: max(last, sum(base, watch.elapsed))) }
    }

    /// A mark that is greater than all before it.
    func next() -> Mark {
        let (value, isFull) = max(last, 0).addingReportingOverflow(1)
        last = max(isFull ? last : value, now.value)
        return Mark(counter: counter, value: last)
    }

    /// How much older it is now than a mark; `nil` if that is none of this count, or of a later moment.
    func age(of mark: Mark?) -> Duration? {
        guard let mark, mark.counter == counter, mark.value <= now.value else { return nil }
        return .microseconds(now.value - mark.value)
    }

    /// Whether a mark is one of this count.
    func knows(_ mark: Mark?) -> Bool { mark.map { $0.counter == counter } ?? false }
}

/// As much later as a duration, or as late as can be.
private func sum(_ value: Int64, _ duration: Duration) -> Int64 {
    let (sum, isFull) = value.addingReportingOverflow(duration.microseconds)
    return isFull ? .max : sum
}

/// How much time has passed since it was made.
private protocol Stopwatch: Sendable {
    var elapsed: Duration { get }
}

private struct ClockStopwatch<C: Clock>: Stopwatch where C.Duration == Duration {
    let clock: C
    let start: C.Instant

    var elapsed: Duration { start.duration(to: clock.now) }
}

private func stopwatch<C: Clock>(_ clock: C) -> any Stopwatch where C.Duration == Duration {
    ClockStopwatch(clock: clock, start: clock.now)
}

extension StoreAge.Mark {
    /// The counter in hexadecimal digits, a space and the value.
    var savedText: String { "\(String(counter, radix: 16)) \(value)" }

    init?(savedText: String?) {
        let parts = savedText?.split(separator: " ") ?? []
        guard parts.count == 2, let counter = UInt64(parts[0], radix: 16),
            let value = Int64(parts[1]), value >= 0
        else { return nil }
        self.init(counter: counter, value: value)
    }
}

extension SavedProperty {
    /// The age of the store when a tab or window was closed, or seen first, or what was set aside was
    /// acknowledged.
    static let age = prefix + "age"
}

extension SessionAttributes {
    /// The age of the store from which on the session ages.
    var ageMark: StoreAge.Mark? {
        get { StoreAge.Mark(savedText: properties[SavedProperty.age]) }
        set { properties[SavedProperty.age] = newValue?.savedText }
    }
}
