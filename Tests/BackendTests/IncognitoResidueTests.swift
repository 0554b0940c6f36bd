import BrowserSessions
import Foundation
import TestSupport
import Testing

/// Canaries in every field of incognito sessions, searched in all bytes of all files.
@Suite("what incognito leaves")
struct IncognitoResidueTests {
    @Test("nothing in any file, at no time", arguments: Subject.all)
    func canaries(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 5))
        try await use(store) { try expectNowhere(folder) }
        try await store.close()
        try expectNowhere(folder)

        store = try await subject.open(folder)
        try await use(store) { try expectNowhere(folder) }
        _ = try await store.recover(.repair)
        try expectNowhere(folder)
        #expect(try await store.sessions() == [Sample.window, Canary.session].sorted())
        try await store.deleteIncognito()
        try expectNowhere(folder)
        try await store.close()
        try expectNowhere(folder)
        for name in ["incognito", "incognito.sealed", "incognito.key"] {
            #expect(try !FileSystem.exists(folder.file("profile/\(name)")))
        }
    }

    @Test("the search finds what is not sealed, and only inside its side", arguments: Subject.all)
    func control(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try OrderedSessionStorage(
            opening: StorageConfiguration(location: folder.file("profile")), engine: subject.engine)
        #expect(store.traits.incognitoErasure == .erased && store.traits.incognitoSealing == nil)
        try await use(store) {}
        let found = Canary.found(in: try Tree(folder.path))
        #expect(found != [])
        #expect(found.filter { !$0.hasPrefix("profile/incognito/") } == [])
        try await store.deleteIncognito()
        try expectNowhere(folder)
        try await store.close()
    }

    @Test("it can be deleted in the run after the one that saved it", arguments: Subject.all)
    func deletedLater(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        try await use(store)
        let killed = TemporaryFolder()
        try FileSystem.copy(folder.file("profile"), to: killed.file("profile"))
        try await store.close()
        for place in [folder, killed] {
            store = try await subject.open(place)
            #expect(try await store.sessions() == [Canary.session])
            try await store.deleteIncognito()
            #expect(try await store.sessions() == [])
            #expect(try Canary.found(in: Tree(place.path)) == [])
            try await store.close()
            store = try await subject.open(place)
            #expect(try await store.recover(.check).losses == [])
            try await store.close()
        }
    }

    @Test("a damaged side is mended without a copy, and deleted whole", arguments: Subject.all)
    func damaged(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 5))
        try await use(store)
        try await store.close()
        let side = folder.file("profile/incognito")
        for file in try FileSystem.files(below: side) {
            var bytes = try FileSystem.read("\(side)/\(file)")
            for index in bytes.indices where index % 1000 == 500 { bytes[index] ^= 4 }
            try FileSystem.overwrite("\(side)/\(file)", with: bytes)
        }
        store = try await subject.open(folder)
        try expectNowhere(folder)
        _ = try await store.recover(.repair)
        try expectNowhere(folder)
        #expect(try await store.restore(Sample.window)?.provenance == .intact)
        try await store.deleteIncognito()
        #expect(try Canary.found(in: Tree(folder.path)) == [])
        try await store.close()
    }

    @Test("a deletion that was interrupted is finished", arguments: Subject.all)
    func interrupted(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 5))
        try await use(store)
        try await store.close()
        // As a kill leaves it between the first and the last step.
        let side = folder.file("profile/incognito")
        for rest in [[], ["mended"], ["damaged"], ["copy", "mended", "damaged"]] {
            let place = TemporaryFolder()
            try FileSystem.copy(folder.file("profile"), to: place.file("profile"))
            try FileSystem.move(
                place.file("profile/incognito"), to: place.file("profile/incognito.removed"))
            for name in rest {
                try FileSystem.copy(side, to: place.file("profile/incognito.\(name)"))
            }
            let store = try await subject.open(place)
            #expect(try await store.sessions() == [Sample.window])
            #expect(try await store.recover(.check).losses == [])
            #expect(try Canary.found(in: Tree(place.path)) == [])
            try await store.close()
        }
    }

    /// Saves, moves, replaces and removes, so that there are old versions to be forgotten too.
    private func use(_ store: any SessionStorage, _ afterEach: () throws -> Void = {}) async throws
    {
        for revision in 0..<4 {
            var changes = SessionChanges()
            changes.put(Canary.attributes, for: Canary.session)
            for number in 0..<6 {
                let tab = Canary.tab(number, revision)
                changes.put(tab, in: Canary.session)
                let key = TabStateKey(tab: tab.id, name: .native, side: .incognito)
                changes.put(Canary.state, for: Canary.stateKey(tab))
                changes.put(
                    [UInt8](repeating: UInt8(revision), count: 5000) + Canary.state, for: key)
            }
            _ = try await store.save(changes)
            try afterEach()
        }
        var removal = SessionChanges()
        removal.remove(Canary.tab(0, 0).id, from: Canary.session)
        removal.remove(TabStateKey(tab: Canary.tab(1, 0).id, name: .native, side: .incognito))
        _ = try await store.save(removal)
    }

    private func expectNowhere(_ folder: TemporaryFolder) throws {
        #expect(Canary.found(in: try Tree(folder.path)) == [])
    }
}

/// Values that occur nowhere else.
private enum Canary {
    static let words = [
        "url", "title", "icon", "key", "value", "window", "group", "frame", "blob", "name",
    ]
    .map { "canary-\($0)-canary" }
    static let state = [UInt8]("canary-blob-canary".utf8)
    static let session = SessionID(
        window: WindowID(high: 0xCA7A_0001_CA7A_0001, low: 0xCA7A_0002_CA7A_0002), kind: .incognito)
    static let group = TabGroupID(high: 0xCA7A_0005_CA7A_0005, low: 5)

    private static let placeBytes: [UInt8] = [0xCA, 0x7A, 0x09, 0xCA, 0x7A, 0x09, 0xCA, 0x7A]

    static var attributes: SessionAttributes {
        SessionAttributes(
            title: "canary-window-canary", activeTab: tab(1, 0).id,
            groups: [TabGroup(id: group, title: "canary-group-canary")],
            properties: ["canary-key-canary": "canary-frame-canary"])
    }

    static func tab(_ number: Int, _ revision: Int) -> TabMetadata {
        var tab = Sample.tab(number)
        tab.id = TabID(high: 0xCA7A_0003_CA7A_0003, low: UInt64(number))
        tab.place = OrderKey(bytes: placeBytes + [UInt8(number + 1)]) ?? tab.place
        tab.url = "https://canary-url-canary.example/\(revision)"
        tab.title = "canary-title-canary \(revision)"
        tab.faviconURL = "https://canary-icon-canary.example/"
        tab.properties = ["canary-key-canary": "canary-value-canary"]
        tab.group = group
        if number > 0 { tab.opener = TabOpener(tab: Self.tab(0, 0).id, navigationIndex: 0) }
        return tab
    }

    /// The key of a state whose name is a canary.
    static func stateKey(_ tab: TabMetadata) -> TabStateKey {
        TabStateKey(
            tab: tab.id, name: StateName(rawValue: "canary-name-canary") ?? .native,
            side: .incognito)
    }

    /// The words in all usual encodings, the identifiers as bytes in both orders and as text, the
    /// place as bytes.
    private static let needles: [[UInt8]] = {
        var needles = words.flatMap(encodings) + [placeBytes]
        for number: UInt64 in [
            0xCA7A_0001_CA7A_0001, 0xCA7A_0003_CA7A_0003, 0xCA7A_0005_CA7A_0005,
        ] {
            withUnsafeBytes(of: number.bigEndian) { needles.append([UInt8]($0)) }
            withUnsafeBytes(of: number.littleEndian) { needles.append([UInt8]($0)) }
        }
        needles.append([UInt8]("CA7A0001-CA7A".utf8))
        needles.append([UInt8]("ca7a0001-ca7a".utf8))
        return needles
    }()

    /// As UTF-8, UTF-16 in both orders, hexadecimal, percent-encoded and base64.
    private static func encodings(of word: String) -> [[UInt8]] {
        let utf16 = word.utf16.map { (UInt8($0 & 0xFF), UInt8($0 >> 8)) }
        let bytes = [UInt8](word.utf8)
        var texts: [String] = []
        for form in ["%02x", "%02X", "%%%02x", "%%%02X"] {
            texts.append(bytes.map { String(format: form, $0) }.joined())
        }
        for shift in 0...2 {
            // The first and last characters also hold bits of what stands before and after.
            let padded = Data([UInt8](repeating: 0, count: shift) + bytes)
            texts.append(String(padded.base64EncodedString().dropFirst(shift + 1).dropLast(4)))
        }
        return [bytes, utf16.flatMap { [$0.0, $0.1] }, utf16.flatMap { [$0.1, $0.0] }]
            + texts.map { [UInt8]($0.utf8) }
    }

    /// The files in which a canary is.
    static func found(in tree: Tree) -> [String] {
        Set(needles.flatMap { tree.files(holding: $0) }).sorted()
    }
}
