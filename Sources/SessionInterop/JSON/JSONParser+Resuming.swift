// This is how reading continues after damage. Any byte may be damaged, including brackets and
// quotes. The parser therefore searches for text that looks like an object and can be read
// completely. Its members show where it belongs: in an open list, or as the first object of a list
// that an open object, or a new object of an open list, may have.

extension JSONParser {
    /// The location at which reading continues.
    struct Resumption {
        /// The index of the list or object among the open levels.
        var level: Int
        /// The lists that begin there, each in the first object of the previous one; empty if an
        /// object of the level comes next.
        var lists: [String] = []
        var position: Int
    }

    /// Takes the resumption if it is for the innermost level. If there is none, finds one first.
    mutating func resumed() -> Resumption? {
        guard shapes != nil, var damage = failure, !damage.isLimit,
            failures.count < Self.maximumFailures
        else { return nil }
        if resumption == nil { resumption = findResumption(from: damage.offset) }
        guard let found = resumption, found.level == levels.count - 1 else { return nil }
        // Trying the same position again would lead nowhere.
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
        while searchBudget > 0, let start = objectStart(from: place) {
            place = start + 1
            let before = context(before: start)
            if before == .member { continue }
            var trial = Self(cursor.bytes, shapes: nil, maximum: valuesLeft)
            trial.cursor.position = start
            let value = trial.value(depth: levels.count, in: "")
            searchBudget -= trial.cursor.position - start
            bytesTried += trial.cursor.position - start
            guard trial.failure == nil, let value else { continue }
            let lists = shapes.lists(of: value)
            if lists.isEmpty {
                // Its content is smaller and belongs to no other list, so only the next object can help.
                place = max(place, trial.cursor.position)
            } else if let fitting = fitting(lists, before, at: start) {
                return fitting
            }
        }
        // Nothing else follows, so do not search again while unwinding.
        searchBudget = 0
        return nil
    }

    // MARK: - Objects at the wrong level

    /// Returns whether an object does not belong in the current list. A frame of a page may have
    /// been read as an entry, which only shows later. In an undamaged text, nothing is stray.
    func isStray(_ item: JSONValue, in name: String) -> Bool {
        guard isSuspicious, let lists = shapes?.lists(of: item), !lists.isEmpty,
            !lists.contains(where: { $0.name == name })
        else { return false }
        return fitting(lists, .other, at: cursor.position) != nil
    }

    /// Returns the same for a list, by its name, if it occurs only in objects of other lists.
    func isStrayList(_ name: String) -> Bool {
        guard isSuspicious, let list = shapes?[name], list.isTelling, !isList(name) else {
            return false
        }
        return levels.contains { list.owners.contains($0.name) && !$0.isList }
    }

    /// Returns whether the current object may have a list of that name.
    func isList(_ name: String) -> Bool {
        guard let list = shapes?[name], let level = levels.last else { return false }
        return list.owners.contains(level.name)
    }

    // MARK: - The list of an object

    private func fitting(_ lists: [JSONShapes.List], _ before: Context, at start: Int)
        -> Resumption?
    {
        guard case .listStart(let name) = before else {
            return among(lists, at: start) ?? beginning(lists, at: start)
        }
        let named = lists.filter { $0.name == name }
        return beginning(named.isEmpty ? lists : named, at: start) ?? among(lists, at: start)
    }

    /// Finds a place in the innermost open list that has such objects.
    private func among(_ lists: [JSONShapes.List], at start: Int) -> Resumption? {
        let names = Set(lists.map(\.name))
        let level = levels.lastIndex { $0.isList && names.contains($0.name) }
        return level.map { Resumption(level: $0, position: start) }
    }

    /// Finds a place as the first object of a list. An open object may have the list and has not
    /// begun it yet, or a new object of an open list may have it.
    private func beginning(_ lists: [JSONShapes.List], at start: Int) -> Resumption? {
        for list in lists {
            if let level = owner(of: list) {
                return Resumption(level: level, lists: [list.name], position: start)
            }
        }
        for list in lists {
            for outer in shapes?.lists ?? [] where list.owners.contains(outer.name) {
                // Open lists usually continue, so such weak evidence does not close one.
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
            // An object that ended too early may continue in the top-level object.
            list.owners.contains(level.name)
                && (level.isList || level.name.isEmpty || !level.begun.contains(list.name))
        }
    }

    // MARK: - Searching

    /// The text before an object.
    private enum Context: Equatable {
        /// A colon: the object is not part of a list.
        case member
        /// The bracket of a list, with its name if that can be read.
        case listStart(String?)
        /// A comma, or damage.
        case other
    }

    /// Returns the position of the next opening bracket that is followed by a quote.
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
