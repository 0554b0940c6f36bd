/// Observers that are told in the order in which they were added, and never kept alive.
struct Observers<Observer> {
    private struct Entry {
        weak var object: AnyObject?
    }

    private var entries: [Entry] = []

    /// Adds the observer once, however often it is called.
    mutating func add(_ observer: Observer) {
        let object = observer as AnyObject
        entries.removeAll { $0.object == nil }
        guard !entries.contains(where: { $0.object === object }) else { return }
        entries.append(Entry(object: object))
    }

    mutating func remove(_ observer: Observer) {
        let object = observer as AnyObject
        entries.removeAll { $0.object == nil || $0.object === object }
    }

    /// Those that are there now: whoever is added while they are told is not told, and whoever is
    /// removed meanwhile still is.
    var current: [Observer] {
        entries.compactMap { $0.object as? Observer }
    }
}
