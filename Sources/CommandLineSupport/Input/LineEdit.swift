/// A line that a person edits in a terminal, key by key, and the lines before it.
///
/// It takes bytes as a terminal sends them and does not read or write anything itself.
package struct LineEdit {
    /// What a key led to that the line alone does not show.
    package enum Outcome: Equatable {
        /// The line is complete.
        case line(String)
        /// There will be no more lines.
        case end
        /// The line looks different.
        case changed
        /// The screen is to be cleared above the line.
        case cleared
    }

    private var text: [Character] = []
    private var cursor = 0
    private var history: [String] = []
    /// The position in the history; its end stands for the line that was begun last.
    private var place = 0
    /// The line that was begun last, while another one of the history is shown.
    private var draft: [Character] = []
    /// The bytes of a character or of a sequence of a key that are not complete yet.
    private var pending: [UInt8] = []

    /// The most lines that are remembered.
    private static let longestHistory = 1000

    package init() {}

    /// Takes the next byte. Returns `nil` if nothing changed.
    package mutating func take(_ byte: UInt8) -> Outcome? {
        if !pending.isEmpty { return goOn(byte) }
        switch byte {
        case 0x1B, 0x80...:
            pending = [byte]
            return nil
        case 0x0A, 0x0D: return complete()
        case 0x04 where text.isEmpty: return .end
        case 0x04: return remove(at: cursor)
        case 0x7F, 0x08: return remove(at: cursor - 1)
        case 0x01: return move(to: 0)
        case 0x02: return move(to: cursor - 1)
        case 0x05: return move(to: text.count)
        case 0x06: return move(to: cursor + 1)
        case 0x0B: return replace(cursor..<text.count)
        case 0x0C: return .cleared
        case 0x0E: return show(place + 1)
        case 0x10: return show(place - 1)
        case 0x15: return replace(0..<cursor)
        case 0x17: return replace(wordStart..<cursor)
        case 0x20..<0x7F: return insert(String(UnicodeScalar(byte)))
        default: return nil
        }
    }

    // MARK: Keys of several bytes

    private mutating func goOn(_ byte: UInt8) -> Outcome? {
        pending.append(byte)
        guard pending[0] == 0x1B else { return goOnWithCharacter() }
        if pending.count == 2, byte == 0x5B || byte == 0x4F { return nil }
        // A sequence ends with the first byte of these; what is endless is no key.
        if pending.count > 2, !(0x40...0x7E).contains(byte), pending.count < 16 { return nil }
        let key = String(decoding: pending.dropFirst(), as: UTF8.self)
        pending = []
        switch key {
        case "[A", "OA": return show(place - 1)
        case "[B", "OB": return show(place + 1)
        case "[C", "OC": return move(to: cursor + 1)
        case "[D", "OD": return move(to: cursor - 1)
        case "[H", "OH", "[1~", "[7~": return move(to: 0)
        case "[F", "OF", "[4~", "[8~": return move(to: text.count)
        case "[3~": return remove(at: cursor)
        case "b", "[1;5D", "[1;3D": return move(to: wordStart)
        case "f", "[1;5C", "[1;3C": return move(to: wordEnd)
        default: return nil
        }
    }

    private mutating func goOnWithCharacter() -> Outcome? {
        let length =
            switch pending[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        if pending.count < length { return nil }
        let character = String(validating: pending, as: UTF8.self)
        pending = []
        guard let character else { return nil }
        // Whether a mark can be seen depends on the character before it.
        let seen = (cursor > 0 ? String(text[cursor - 1]) : "") + character
        return seen == seen.visible ? insert(character) : nil
    }

    // MARK: Changes

    private mutating func insert(_ new: String) -> Outcome? {
        // A mark joins the character before it.
        let before = Array(String(text[..<cursor]) + new)
        text.replaceSubrange(..<cursor, with: before)
        cursor = before.count
        return .changed
    }

    private mutating func remove(at index: Int) -> Outcome? {
        text.indices.contains(index) ? replace(index..<index + 1) : nil
    }

    private mutating func replace(_ range: Range<Int>) -> Outcome? {
        if range.isEmpty { return nil }
        text.removeSubrange(range)
        cursor = range.lowerBound
        return .changed
    }

    private mutating func move(to index: Int) -> Outcome? {
        guard (0...text.count).contains(index), index != cursor else { return nil }
        cursor = index
        return .changed
    }

    private var wordStart: Int {
        let word = text[..<cursor].lastIndex { $0 != " " } ?? 0
        return text[..<word].lastIndex(of: " ").map { $0 + 1 } ?? 0
    }

    private var wordEnd: Int {
        let word = text[cursor...].firstIndex { $0 != " " } ?? text.count
        return text[word...].firstIndex(of: " ") ?? text.count
    }

    private mutating func show(_ index: Int) -> Outcome? {
        guard (0...history.count).contains(index), index != place else { return nil }
        if place == history.count { draft = text }
        place = index
        text = index == history.count ? draft : Array(history[index])
        cursor = text.count
        return .changed
    }

    private mutating func complete() -> Outcome? {
        let line = String(text)
        if !line.isEmpty, history.last != line { history.append(line) }
        if history.count > Self.longestHistory { history.removeFirst() }
        (text, cursor, draft, place) = ([], 0, [], history.count)
        return .line(line)
    }

    // MARK: Drawing

    /// Returns what draws the line over the one before: as much of it as fits, around the cursor.
    ///
    /// - Parameter width: the cells of a line of the terminal.
    package func drawing(prompt: String, width: Int) -> String {
        let free = max(4, width - prompt.cells - 1)
        var first = cursor
        var cells = 0
        while first > 0, cells + text[first - 1].cells <= free {
            first -= 1
            cells += text[first].cells
        }
        var (end, all) = (cursor, cells)
        while end < text.count, all + text[end].cells <= free {
            all += text[end].cells
            end += 1
        }
        let column = prompt.cells + cells
        return "\r\(prompt)\(String(text[first..<end]))\u{1B}[K\r"
            + (column > 0 ? "\u{1B}[\(column)C" : "")
    }
}
