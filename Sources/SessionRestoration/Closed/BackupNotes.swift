import BrowserModel
import BrowserSessions

/// The facts that an undo of "close all" needs in addition to the tabs, kept in the attributes of
/// the backup window.
struct BackupNotes {
    /// The former index of the first of the tabs.
    var firstIndex = StoredNumber.zero
    /// The openers that are now in the other window, of tabs that stayed and tabs that moved.
    var openers: [TabID: TabOpener] = [:]

    init() {}

    /// Reads the notes of a backup window; empty for other windows.
    init(_ attributes: SessionAttributes) {
        firstIndex =
            attributes.properties[SavedProperty.firstIndex].flatMap { StoredNumber(decimal: $0) }
            ?? .zero
        for line in attributes.properties[SavedProperty.openers]?.split(separator: "\n") ?? [] {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let tab = TabID(String(parts[0])),
                let opener = TabOpener(savedText: String(parts[1]))
            else { continue }
            openers[tab] = opener
        }
    }

    /// Collects the openers that are lost when the tabs at these indexes leave the list.
    init(_ list: TabList, leaving indexes: [Int]) {
        firstIndex = indexes.first.flatMap { StoredNumber($0) } ?? .zero
        let leaving = Set(indexes.map { list[$0].id })
        for tab in list.tabs {
            guard let opener = tab.metadata.opener,
                leaving.contains(tab.id) != leaving.contains(opener.tab)
            else { continue }
            openers[tab.id] = opener
        }
    }

    func save(in attributes: inout SessionAttributes) {
        attributes.properties[SavedProperty.firstIndex] = firstIndex.description
        var text = ""
        for (tab, opener) in openers.sorted(by: { $0.key < $1.key }) {
            let line = "\(tab) \(opener.savedText)\n"
            // Openers are not worth a record that a store refuses.
            guard text.utf8.count + line.utf8.count <= Self.longestText else { break }
            text += line
        }
        attributes.properties[SavedProperty.openers] = text.isEmpty ? nil : text
    }

    private static let longestText = 256 * 1024
}

extension SavedProperty {
    static let firstIndex = "browser-sessions.backup-first-index"
    static let openers = "browser-sessions.backup-openers"
}

extension Window {
    /// Whether the window has tabs that the user sees, in it or in other windows, and that are not private.
    var holdsOpenTabs: Bool {
        !isIncognito && (kind.role == .window || kind.role == .library)
    }

    /// Whether the window belongs to a regular window and is not on the screen.
    var isCompanion: Bool { kind.role == .companion }
}
