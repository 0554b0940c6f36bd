#if os(Linux)
    import BrowserSessions
    import StorageEngines
    import Glibc
    import LocalFiles
    import TestSupport
    import Expectations

    @Suite(
        "full and read-only disks", .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    struct FullDiskTests {
        @Test("a save on a full disk changes nothing and works later", arguments: Subject.all)
        func save(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 4096)
            let store = try await subject.open(disk.folder)
            _ = try await store.save(Sample.window(tabs: 5))
            let before = try await store.restore(Sample.window)
            try disk.fill()
            var saved = 0
            for number in 0..<20 {
                let error = await error { _ = try await store.save(large(number)) }
                guard let error else {
                    saved += 1
                    continue
                }
                expect(error.code == .outOfSpace && error.effect == .notApplied)
                expect(try await store.restore(Sample.window) == before)
            }
            expect(saved < 20)
            try disk.release()
            _ = try await store.save(large(1))
            try await store.close()
            let again = try await subject.open(disk.folder)
            expect(try await again.restore(Sample.window) == before)
            expect(
                try await again.restore(Sample.otherWindow)?.tabs.map(\.id.low).contains(101)
                    == true)
            expect(try await again.check().losses == [])
            try await again.close()
        }

        @Test("a full disk does not prevent reading", arguments: Subject.all, [true, false])
        func open(subject: Subject, isClosed: Bool) async throws {
            let disk = try SmallDisk(kibibytes: 8192)
            let store = try await subject.open(disk.folder)
            let key = TabStateKey(tab: Sample.tab(1).id, name: .native, partition: .regular)
            for revision in 1...20 {
                var changes = Sample.window(tabs: 20)
                changes.put([UInt8](repeating: UInt8(revision), count: 10_000), for: key)
                _ = try await store.save(changes)
            }
            let before = try await store.restore(Sample.window)
            if isClosed { try await store.close() } else { try await disk.folder.kill(store) }
            try disk.fill()
            for _ in 1...2 {
                let full = try await subject.open(disk.folder)
                expect(try await full.restore(Sample.window) == before)
                expect(try await full.state(of: key)?.count == 10_000)
                let code = await errorCode { try await full.close() }
                expect(code == nil || code == .outOfSpace)
            }
            try disk.release()
            let again = try await subject.open(disk.folder)
            expect(try await again.restore(Sample.window) == before)
            expect(try await again.check().losses == [])
            _ = try await again.save(large(3))
            try await again.close()
        }

        @Test(
            "a damaged store on a full disk is read, left as it is, and repaired later",
            arguments: Subject.all)
        func damaged(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 16384)
            let store = try await subject.open(disk.folder)
            let key = TabStateKey(tab: Sample.tab(1).id, name: .native, partition: .regular)
            var changes = Sample.window(tabs: 300)
            for number in 1..<40 {
                changes.put(
                    [UInt8](repeating: UInt8(number), count: 30_000),
                    for: TabStateKey(tab: Sample.tab(number).id, name: .native, partition: .regular)
                )
            }
            _ = try await store.save(changes)
            try await disk.folder.kill(store)
            let partition = disk.folder.file("profile/regular")
            // Too much for an end that was not durable.
            for file in try FileSystem.files(below: partition) where !file.contains("LOG") {
                var bytes = try FileSystem.read("\(partition)/\(file)")
                for index in bytes.indices.prefix(20) { bytes[index] ^= 0x55 }
                try FileSystem.overwrite("\(partition)/\(file)", with: bytes)
            }
            try disk.fill()
            let before = try Tree(partition)
            for _ in 1...2 {
                let full = try await subject.open(disk.folder)
                expect(try await full.restore(Sample.window)?.tabs.count ?? 0 > 200)
                expect(
                    try await full.state(of: key) == [UInt8](repeating: 1, count: 30_000))
                let report = try await full.check()
                expect(report.losses.isEmpty == false && report.quarantined == [])
                expect(report.notes.contains { $0.contains("could not be repaired") })
                expect(await errorCode { _ = try await full.save(large(1)) } == .outOfSpace)
                expect(try await full.state(of: key)?.count == 30_000)
                try await full.close()
                expect(try Tree(partition) == before)
            }
            // With space again the next save repairs.
            let healed = try await subject.open(disk.folder)
            try disk.release()
            _ = try await healed.save(large(1))
            expect(try await healed.state(of: key)?.count == 30_000)
            expect(try await healed.check().quarantined.count == 1)
            try await healed.close()
            let again = try await subject.open(disk.folder)
            expect(try await again.state(of: key)?.count == 30_000)
            try await again.close()
        }

        @Test(
            "a running store that is found damaged on a full disk can still be read",
            arguments: Subject.all)
        func damagedWhileOpen(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 16384)
            let store = try await subject.open(disk.folder)
            _ = try await store.save(Sample.window(tabs: 300))
            let keys = (1..<40).map {
                TabStateKey(tab: Sample.tab($0).id, name: .native, partition: .regular)
            }
            for key in keys {
                var changes = SessionChanges()
                changes.put([UInt8](repeating: 7, count: 30_000), for: key)
                _ = try await store.save(changes)
            }
            let partition = disk.folder.file("profile/regular")
            for file in try FileSystem.files(below: partition)
            where try FileSystem.status("\(partition)/\(file)")?.size ?? 0 > 1 << 20 {
                let open = try PosixFile(opening: "\(partition)/\(file)", flags: O_WRONLY)
                let bytes = [UInt8](repeating: 0x55, count: 100_000)
                let place = try open.size() - 120_000
                expect(pwrite(open.raw, bytes, bytes.count, place), is: bytes.count)
            }
            try disk.fill()
            var unreadable = 0
            for key in keys where await errorCode({ _ = try await store.state(of: key) }) != nil {
                unreadable += 1
            }
            // The others have in memory what was just saved.
            expect(unreadable > 0 || subject.backend.name != "directory")
            for _ in 1...2 {
                expect(await errorCode { _ = try await store.save(large(1)) } == .outOfSpace)
                _ = try? await store.restore(Sample.window)
            }
            expect(await errorCode { _ = try await store.save(large(1)) } == .outOfSpace)
            expect(try await store.restore(Sample.window)?.tabs.count == 300)
            expect(try await store.state(of: keys[3])?.count == 30_000)
            try disk.release()
            _ = try await store.save(large(1))
            let report = try await store.check()
            expect(report.quarantined.count == 1 || unreadable == 0)
            expect(!report.losses.isEmpty)
            try await store.close()
        }

        @Test("incognito sessions can be deleted on a full disk", arguments: Subject.all)
        func deleteIncognito(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 8192)
            let store = try await subject.open(disk.folder)
            _ = try await store.save(Sample.window(tabs: 5))
            _ = try await store.save(Sample.window(tabs: 50, id: Sample.incognito))
            try disk.fill()
            try await store.deleteIncognito()
            expect(try await store.sessions() == [Sample.window])
            expect(try !FileSystem.exists(disk.folder.file("profile/incognito")))
            try? await store.close()
        }

        @Test("damage on a full disk costs nothing more", arguments: Subject.all)
        func damage(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 8192)
            let store = try await subject.open(disk.folder)
            _ = try await store.save(Sample.window(tabs: 20))
            try await store.close()
            try subject.tamper(disk.folder.file("profile/regular")) { key, value in
                key.isTabKey && key.last == 7 ? .replace(value.flipped) : .keep
            }
            try disk.fill()
            let full = try await subject.open(disk.folder)
            expect(try await full.restore(Sample.window)?.tabs.count == 19)
            expect(try await full.restore(Sample.window)?.provenance == .salvaged)
            _ = await error { _ = try await full.repair() }
            expect(try await full.restore(Sample.window)?.tabs.count == 19)
            try? await full.close()
            try disk.release()
            let again = try await subject.open(disk.folder)
            let report = try await again.check()
            expect(report.losses.map(\.kind) == [.tab] && report.quarantined.count == 1)
            expect(try await again.restore(Sample.window)?.tabs.count == 19)
            try await again.close()
        }

        @Test("a new store on a full disk", arguments: Subject.all)
        func create(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 4096)
            try disk.fill()
            expect(await errorCode { _ = try await subject.open(disk.folder) } == .outOfSpace)
            try disk.release()
            let store = try await subject.open(disk.folder)
            expect(try await store.sessions() == [])
            expect(try await store.check().losses == [])
            _ = try await store.save(Sample.window(tabs: 5))
            try await store.close()
        }

        @Test("a read-only disk is no damage", arguments: Subject.all)
        func readOnly(subject: Subject) async throws {
            let disk = try SmallDisk(kibibytes: 8192)
            let store = try await subject.open(disk.folder)
            _ = try await store.save(Sample.window(tabs: 20))
            try await store.close()
            let before = try Tree(disk.folder.path)
            try disk.setReadOnly(true)
            expect(
                await errorCode { _ = try await subject.open(disk.folder) } == .permissionDenied)
            expect(
                await errorCode { _ = try await subject.open(disk.folder, "new") }
                    == .permissionDenied)
            try disk.setReadOnly(false)
            expect(try Tree(disk.folder.path) == before)
            let again = try await subject.open(disk.folder)
            expect(try await again.restore(Sample.window)?.tabs.count == 20)
            try await again.close()
        }

        private func large(_ number: Int) -> SessionChanges {
            var changes = SessionChanges()
            let tab = Sample.tab(100 + number)
            changes.put(tab, in: Sample.otherWindow)
            let key = TabStateKey(tab: tab.id, name: .native, partition: .regular)
            changes.put([UInt8](repeating: 3, count: 20_000), for: key)
            return changes
        }
    }
#endif
