/// Observers that are notified in the order in which they were added, and held weakly.
package struct Observers<Observer> {
    private final class Entry {
        weak var object: AnyObject?
        var observer: () -> Observer?

        init(_ object: AnyObject, _ observer: @escaping () -> Observer?) {
            self.object = object
            self.observer = observer
        }
    }

    private var entries: [Entry] = []

    package init() {}

    /// Adds an observer. Adding it again has no effect.
    ///
    /// - Parameter weakly: returns the observer, not kept alive: `{ [weak observer] in observer }`.
    ///   The caller knows its type, so no cast is needed for each notification.
    package mutating func add(_ observer: Observer, _ weakly: @escaping () -> Observer?) {
        let object = observer as AnyObject
        entries.removeAll { $0.object == nil }
        guard !entries.contains(where: { $0.object === object }) else { return }
        entries.append(Entry(object, weakly))
    }

    /// Removes an observer. Does nothing if it was not added.
    package mutating func remove(_ observer: Observer) {
        let object = observer as AnyObject
        // Also cleared, so that a call in progress does not reach it.
        for entry in entries where entry.object === object {
            entry.object = nil
            entry.observer = { nil }
        }
        entries.removeAll { $0.object == nil }
    }

    /// The observers that exist now. During iteration, observers that are added are not included,
    /// and observers that are removed are skipped.
    package var current: some Sequence<Observer> { entries.lazy.compactMap { $0.observer() } }
}
