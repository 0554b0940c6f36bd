/// Observers that are told in the order in which they were added, and never kept alive.
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

    /// Adds the observer once, however often it is called.
    ///
    /// - Parameter weakly: the observer, not kept alive: `{ [weak observer] in observer }`. Who adds
    ///   it knows what it is, so that nobody has to find that out each time it is told.
    package mutating func add(_ observer: Observer, _ weakly: @escaping () -> Observer?) {
        let object = observer as AnyObject
        entries.removeAll { $0.object == nil }
        guard !entries.contains(where: { $0.object === object }) else { return }
        entries.append(Entry(object, weakly))
    }

    /// Removes the observer; does nothing if it is none.
    package mutating func remove(_ observer: Observer) {
        let object = observer as AnyObject
        // Emptied as well, so that a call under way does not reach it.
        for entry in entries where entry.object === object {
            entry.object = nil
            entry.observer = { nil }
        }
        entries.removeAll { $0.object == nil }
    }

    /// Those that are there now: whoever is added while they are gone through is not among them,
    /// and whoever is removed meanwhile is left out.
    package var current: some Sequence<Observer> { entries.lazy.compactMap { $0.observer() } }
}
