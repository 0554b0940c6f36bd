public import BrowserSessions

/// The age of a store's contents, from a counter that the store keeps itself.
///
/// A wall clock may be wrong by years, and data that is deleted because of it is lost. Everything that is
/// deleted for its age is therefore measured by this counter, from the moment when this store first saw it.
/// While a process runs, the counter follows the clock of its delays. Between two processes, it advances with
/// the wall clock, by at most ``longestGap`` and never backward. Each launch saves it with a name of its own;
/// a mark of another counter, such as an imported one, has no meaning here.
final class StoreAge {
    /// A value of the counter, as it is saved with a record.
    struct Mark: Hashable {
        let counter: UInt64
        /// The age in microseconds. Each mark of a counter is greater than those before it.
        let value: Int64
    }

    /// The longest time that can pass between two launches, as far as the counter is concerned.
    static let longestGap = Duration.seconds(2 * 24 * 60 * 60)

    /// The counter. A copy of it, for another thread, continues from the current value.
    private(set) var reader: Reader
    var counter: UInt64 { reader.counter }

    init(clock: any Clock<Duration>) {
        reader = Reader(counter: UInt64.random(in: 1...UInt64.max), watch: stopwatch(clock))
    }

    /// Continues the counter of the previous process.
    ///
    /// - Parameters:
    ///   - mark: the counter's value when that process wrote its last note.
    ///   - gap: the time since then by the wall clock.
    func goOn(from mark: Mark, after gap: Duration) {
        reader.counter = mark.counter
        let gap = min(max(gap, .zero), Self.longestGap)
        // The time since this object was made is part of the gap.
        reader.base = sum(mark.value, max(gap - reader.watch.elapsed, .zero))
        reader.last = max(reader.last, reader.base)
    }

    /// Ensures that no later mark is less than this one, unless it lies too far in the future to be earlier.
    func raise(to mark: Mark) {
        let limit = sum(now.value, Self.longestGap)
        guard mark.counter == counter, mark.value <= limit else { return }
        reader.last = max(reader.last, mark.value)
    }

    /// The current value of the counter.
    var now: Mark { reader.now }

    struct Reader: Sendable {
        fileprivate var counter: UInt64
        fileprivate var base: Int64 = 0
        fileprivate var last: Int64 = 0
        fileprivate let watch: any Stopwatch

        var now: Mark { Mark(counter: counter, value: max(last, sum(base, watch.elapsed))) }
    }

    /// Returns a mark that is greater than all marks before it.
    func next() -> Mark {
        let (value, isFull) = max(reader.last, 0).addingReportingOverflow(1)
        reader.last = max(isFull ? reader.last : value, now.value)
        return Mark(counter: counter, value: reader.last)
    }

    /// Returns the time since a mark; `nil` if the mark is of another counter or lies in the future.
    func age(of mark: Mark?) -> Duration? {
        guard let mark, mark.counter == counter, mark.value <= now.value else { return nil }
        return .microseconds(now.value - mark.value)
    }

    /// Returns whether a mark is older than a limit; `false` if its age is not known.
    func isOlder(_ mark: Mark?, than limit: Duration) -> Bool {
        age(of: mark).map { $0 > limit } ?? false
    }

    /// Returns whether a mark belongs to this counter.
    func knows(_ mark: Mark?) -> Bool { mark.map { $0.counter == counter } ?? false }
}

/// Returns the sum, or the greatest value if it overflows.
private func sum(_ value: Int64, _ duration: Duration) -> Int64 {
    let (sum, isFull) = value.addingReportingOverflow(duration.microseconds)
    return isFull ? .max : sum
}

/// A stopwatch that runs from its creation.
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
    /// The counter in hexadecimal digits, a space, and the value.
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
    /// The store's age when a tab or window was closed or first seen, or when a session that was
    /// set aside was acknowledged.
    static let age = OwnProperty.prefix + "age"
}

extension SessionAttributes {
    /// The store's age from which the session's own age is measured.
    var ageMark: StoreAge.Mark? {
        get { StoreAge.Mark(savedText: properties[SavedProperty.age]) }
        set { properties[SavedProperty.age] = newValue?.savedText }
    }
}

/// The items that a restorer removed on its own because no rule keeps them any longer. See
/// ``ClosedTabPolicy`` and ``CrashPolicy``.
public struct DroppedItems: Hashable, Sendable {
    /// The recently closed tabs that are older than ``ClosedTabPolicy/maximumAge``.
    public var oldClosedTabs: [TabID] = []
    /// The recently closed tabs that exceed ``ClosedTabPolicy/maximumTabs``, those closed first.
    public var surplusClosedTabs: [TabID] = []
    /// The sessions that were set aside and acknowledged, and that are too old or too many.
    public var setAside: [SessionID] = []

    /// Whether nothing was removed.
    public var isEmpty: Bool {
        oldClosedTabs.isEmpty && surplusClosedTabs.isEmpty && setAside.isEmpty
    }
}
