// How reading goes on after damage. Any byte may be the damaged one, brackets and quotes too, so the
// text is searched for something that looks like an object and can be read as a whole. What it is
// tells where it belongs: into a list that is open, or as the first object of a list that one of the
// open objects may have, or that an object of an open list may have.

extension JSONParser {
    /// Where reading goes on.
    struct Resumption {
        /// The list or object, among those that are open.
        var level: Int
        /// The lists that begin there, each in the first object of the one before; none if an object of
        /// the level comes next.
        var lists: [String] = []
        var position: Int
    }

    /// Takes the resumption if it is for the innermost level. Looks for one first if there is none.
    mutating func resumed() -> Resumption? {
        guard shapes != nil, var damage = failure, !damage.isLimit,
            failures.count < Self.maximumFailures
        else { return nil }
        if resumption == nil { resumption = findResumption(from: damage.offset) }
        guard let found = resumption, found.level == levels.count - 1 else { return nil }
        // The same place once more leads nowhere.
        let isRepeated = failures.last?.offset == damage.offset && found.position == damage.offset
        guard !isRepeated else { return nil }
        resumption = nil
        damage.bytesNotRead = found.position - damage.offset
        failures.append(damage)
        failure = nil
        cursor.position = found.position
        return found
    }

    private mutating func findResumption(from offset: Int) -> Resumption? {
        guard let shapes else { return nil }
        var place = offset
        while patience > 0, let start = objectStart(from: place) {
            place = start + 1
            let before = context(before: start)
            if before == .member { continue }
            var trial = Self(cursor.bytes, shapes: nil, maximum: room)
            trial.cursor.position = start
            let value = trial.value(depth: levels.count, in: "")
            patience -= trial.cursor.position - start
            bytesTried += trial.cursor.position - start
            guard trial.failure == nil, let value else { continue }
            let lists = shapes.lists(of: value)
            if lists.isEmpty {
                // What is inside is smaller and of no other list; only the next can help.
                place = max(place, trial.cursor.position)
            } else if let fitting = fitting(lists, before, at: start) {
                return fitting
            }
        }
        // Nothing comes any more; do not search again on the way out.
        patience = 0
        return nil
    }

    // MARK: - Where reading went on at the wrong level

    /// Whether an object belongs elsewhere than into the list that is read: a frame of a page may have
    /// been taken for an entry, which only shows later. Nothing is stray in a sound text.
    func isStray(_ item: JSONValue, in name: String) -> Bool {
        guard isSuspicious, let lists = shapes?.lists(of: item), !lists.isEmpty,
            !lists.contains(where: { $0.name == name })
        else { return false }
        return fitting(lists, .other, at: cursor.position) != nil
    }

    /// The same for a list that is only in objects of others, by its name.
    func isStrayList(_ name: String) -> Bool {
        guard isSuspicious, let list = shapes?[name], list.isTelling, !isList(name) else {
            return false
        }
        return levels.contains { list.owners.contains($0.name) && !$0.isList }
    }

    /// Whether the object that is read has a list of that name.
    func isList(_ name: String) -> Bool {
        guard let list = shapes?[name], let level = levels.last else { return false }
        return list.owners.contains(level.name)
    }

    // MARK: - Where an object belongs

    private func fitting(_ lists: [JSONShapes.List], _ before: Context, at start: Int)
        -> Resumption?
    {
        guard case .listStart(let name) = before else {
            return among(lists, at: start) ?? beginning(lists, at: start)
        }
        let named = lists.filter { $0.name == name }
        return beginning(named.isEmpty ? lists : named, at: start) ?? among(lists, at: start)
    }

    /// In the innermost open list that has such objects.
    private func among(_ lists: [JSONShapes.List], at start: Int) -> Resumption? {
        let names = Set(lists.map(\.name))
        let level = levels.lastIndex { $0.isList && names.contains($0.name) }
        return level.map { Resumption(level: $0, position: start) }
    }

    /// As the first of a list that an open object may have and has not begun yet, or that a new object
    /// of an open list may have; else in a new object of such a list, and so on.
    private func beginning(_ lists: [JSONShapes.List], at start: Int) -> Resumption? {
        for list in lists {
            if let level = owner(of: list) {
                return Resumption(level: level, lists: [list.name], position: start)
            }
        }
        for list in lists {
            for outer in shapes?.lists ?? [] where list.owners.contains(outer.name) {
                // Lists that are open go on sooner or later; none is left for so little.
                guard let level = owner(of: outer),
                    !levels[(level + 1)...].contains(where: {
                        $0.isList && shapes?[$0.name] != nil
                    })
                else { continue }
                return Resumption(
                    level: level, lists: [outer.name, list.name], position: start)
            }
        }
        return nil
    }

    private func owner(of list: JSONShapes.List) -> Int? {
        levels.lastIndex { level in
            // What ended too early may go on in the object that holds all others.
            list.owners.contains(level.name)
                && (level.isList || level.name.isEmpty || !level.begun.contains(list.name))
        }
    }

    // MARK: - Searching

    /// What is before an object.
    private enum Context: Equatable {
        /// A colon: the object is no part of a list.
        case member
        /// The bracket of a list, of the name if that can be read.
        case listStart(String?)
        /// A comma, or damage.
        case other
    }

    /// The next bracket that a quote follows.
    private func objectStart(from offset: Int) -> Int? {
        var place = cursor
        place.position = offset
        while let byte = place.next {
            place.position += 1
            guard byte == UInt8(ascii: "{") else { continue }
            var inner = place
            inner.skipSpace()
            if inner.next == UInt8(ascii: "\"") { return place.position - 1 }
        }
        return nil
    }

    private func context(before start: Int) -> Context {
        let bytes = cursor.bytes
        guard let first = lastByte(before: start) else { return .other }
        if bytes[first] == UInt8(ascii: ":") { return .member }
        guard bytes[first] == UInt8(ascii: "[") else { return .other }
        guard let colon = lastByte(before: first), bytes[colon] == UInt8(ascii: ":"),
            let quote = lastByte(before: colon), bytes[quote] == UInt8(ascii: "\""),
            let open = bytes[..<quote].suffix(64).lastIndex(of: UInt8(ascii: "\""))
        else { return .listStart(nil) }
        return .listStart(String(decoding: bytes[(open + 1)..<quote], as: UTF8.self))
    }

    private func lastByte(before place: Int) -> Int? {
        cursor.bytes[..<place].suffix(64).lastIndex { !JSONCursor.isSpace($0) }
    }
}
