#if os(Linux)
    import BrowserSessions
    import DirectoryBackend
    import StorageConformance
    import Foundation
    import StorageEngines
    import TestSupport
    import Expectations

    /// Files with names that are no text, and such that Swift takes for one: they are what they are.
    @Suite("strange names")
    struct StrangeNameTests {
        /// A closed store that has set something aside, with strange names in its directories.
        private func strange(in folders: [String]) async throws
            -> TemporaryFolder
        {
            let folder = try await StorageBackend.directory.damagedStore()
            let store = try await StorageBackend.directory.open(folder)
            _ = try await store.repair()
            _ = try await store.save(Sample.window(tabs: 3, id: Sample.otherWindow))
            try await store.close()
            for name in folders { try RawNames.plant(in: folder.file("profile/\(name)")) }
            return folder
        }

        private func item(_ folder: TemporaryFolder) throws -> String {
            let items = try FileSystem.contents(of: folder.file("profile/quarantine"))
            return try "quarantine/\(require(items.first { $0.hasSuffix("damaged-store") }))"
        }

        private static let planted = (RawNames.all + [[0xFF]]).sorted {
            $0.lexicographicallyPrecedes($1)
        }

        @Test("a store is removed with all that its directories hold")
        func removal() async throws {
            let folder = try await strange(in: ["regular", "quarantine"])
            try RawNames.plant(in: folder.file("profile/\(item(folder))"))
            let place = StorageConfiguration(location: folder.file("profile"))
            expect(try await StorageBackend.directory.remove(place))
            expect(RawNames.list(folder.path), is: [])
        }

        @Test("what is not the store's stays")
        func others() async throws {
            let folder = try await strange(in: ["", "regular"])
            let place = StorageConfiguration(location: folder.file("profile"))
            expect(try await StorageBackend.directory.remove(place))
            expect(RawNames.list(folder.file("profile")), is: Self.planted)
        }

        @Test("a quarantine that is purged is empty")
        func purge() async throws {
            let folder = try await strange(in: ["quarantine"])
            try RawNames.plant(in: folder.file("profile/\(item(folder))"))
            let store = try await StorageBackend.directory.open(folder)
            try await store.erase(.quarantine)
            try await store.close()
            expect(RawNames.list(folder.file("profile/quarantine")), is: [])
        }

        @Test("erasing leaves none of them in the store")
        func erasing() async throws {
            let folder = try await strange(in: ["regular", "quarantine"])
            let store = try await StorageBackend.directory.open(folder)
            try await store.erase(.removedData)
            expect(RawNames.list(folder.file("profile/quarantine")), is: [])
            let files = try require(RawNames.list(folder.file("profile/regular")))
            expect(files.allSatisfy { !Self.planted.contains($0) })
            expect(try await store.restore(Sample.otherWindow)?.tabs.count == 3)
            try await store.close()
        }

        @Test("a look at a store changes nothing, and leaves no copy")
        func look() async throws {
            let folder = try await strange(in: ["", "regular"])
            let before = try LocationFiles(folder.path)
            let store = try await StorageBackend.directory.open(
                folder, options: ["access": .text("readOnly")])
            expect(try await store.restore(Sample.otherWindow)?.tabs.count == 3)
            try await store.close()
            expect(try LocationFiles(folder.path) == before)
            expect(
                RawNames.list(folder.file("profile/regular"))?.contains(RawNames.latin), is: true)
        }

        @Test("stores lie in directories of any name")
        func locations() async throws {
            let folder = TemporaryFolder()
            let names = RawNames.all.map { PathText.text($0) }
            for (number, name) in names.enumerated() {
                let store = try await StorageBackend.directory.open(folder, "\(name)/profile")
                _ = try await store.save(Sample.window(tabs: number + 1))
                try await store.close()
            }
            expect(RawNames.list(folder.path)?.count, is: 3)
            expect(Set(RawNames.list(folder.path) ?? []), is: Set(RawNames.all))
            for (number, name) in names.enumerated() {
                expect(try StorageBackend.directory.hasStore(at: folder.file("\(name)/profile")))
                let store = try await StorageBackend.directory.open(
                    folder, "\(name)/profile", options: ["access": .text("readOnly")])
                expect(try await store.restore(Sample.window)?.tabs.count == number + 1)
                try await store.close()
                let place = StorageConfiguration(location: folder.file("\(name)/profile"))
                expect(try await StorageBackend.directory.remove(place))
            }
            for name in names { expect(RawNames.list(PathText.bytes(folder.file(name))), is: []) }
        }
    }

    /// The same for trees that are walked by anything else.
    @Suite("walks over strange names")
    struct StrangeWalkTests {
        @Test("copies have the names of the original, to the byte, and removal leaves nothing")
        func walk() throws {
            let folder = TemporaryFolder()
            try FileSystem.makeDirectory(folder.file("a"))
            try RawNames.plant(in: folder.file("a"))
            try FileSystem.copy(folder.file("a"), to: folder.file("b"))
            for path in ["", "/"].map({ Array($0.utf8) + ($0.isEmpty ? [] : [0xFF]) }) {
                let copy = RawNames.list(Array(folder.file("b").utf8) + path)
                expect(copy, is: RawNames.list(Array(folder.file("a").utf8) + path))
                expect(copy?.isEmpty, is: false)
            }
            let directory = try PosixDirectory(opening: folder.path)
            expect(try directory.bytes(of: "b") == 18)
            expect(Set(try FileSystem.contents(of: folder.file("a"))).count, is: 4)
            try FileSystem.remove(folder.file("a"))
            expect(RawNames.list(folder.path), is: [Array("b".utf8)])
        }

        @Test("each operation is on the file of that name alone")
        func operations() throws {
            let folder = TemporaryFolder()
            let directory = try PosixDirectory(opening: folder.path)
            let names = RawNames.all.map { PathText.text($0) }
            for (number, name) in names.enumerated() {
                try directory.create(name, with: [UInt8(number)])
            }
            expect(try directory.names().map(PathText.bytes).count == 3)
            for (number, name) in names.enumerated() {
                expect(try directory.has(name) && directory.status(of: name)?.size == 1)
                expect(try directory.read(name) == [UInt8(number)])
                try directory.link(name, as: "\(name).2")
                try directory.rename(name, to: "\(name).3")
                try directory.makeDirectory(name)
                expect(try directory.directory(name).names() == [])
                try directory.removeEntry(name)
                try directory.remove("\(name).2")
            }
            let ending = Array(".3".utf8)
            expect(Set(RawNames.list(folder.path) ?? []), is: Set(RawNames.all.map { $0 + ending }))
            let error = expect(throws: StorageError.self) { try directory.read(names[0]) }
            expect(error?.message.contains(#"caf\xE9"#), is: true)
        }

        @Test("a file that comes between two calls of the store is named")
        func fileInTheWay() throws {
            let folder = TemporaryFolder()
            let directory = try PosixDirectory(opening: folder.path)
            try directory.create("1.log", with: [1])
            let error = expect(throws: StorageError.self) {
                try directory.create("1.log", with: [2])
            }
            expect(error?.message.contains("1.log' is there already"), is: true)
            expect(error?.message.contains("backup"), is: true)
            expect(try directory.names() == ["1.log"])
        }

        @Test("a link that leads to such a place is followed to it")
        func links() throws {
            let folder = TemporaryFolder()
            let place = Array(folder.file("").utf8) + RawNames.latin
            expect(place.withPath { mkdir($0, 0o700) }, is: 0)
            expect(place.withPath { symlink($0, folder.file("link")) }, is: 0)
            let real = try require(try PosixFileSystem().realPath(of: folder.file("link")))
            expect(PathText.bytes(real).suffix(4), is: RawNames.latin[...])
            try PosixFileSystem().makeDirectories("\(real)/inner")
            expect(RawNames.list(place), is: [Array("inner".utf8)])
            try PosixFileSystem().removeDirectory("\(real)/inner")
            expect(RawNames.list(place), is: [])
        }
    }
#endif
