#if os(Linux)
    import BrowserSessions
    import StorageConformance
    import StorageEngines
    import Glibc
    import TestSupport
    import Expectations

    @Suite(
        "damage on full disks", .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    struct DamageOnFullDiskTests {
        @Test(
            "a damaged store on a full disk is read, left as it is, and repaired later",
            arguments: TestedEngine.withDirectory)
        func damaged(tested: TestedEngine) async throws {
            let disk = try SmallDisk(kibibytes: 16384)
            let store = try await tested.backend.open(disk.folder)
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
            for file in try LocationFiles(partition).files where !file.contains("LOG") {
                var bytes = try FileSystem.read("\(partition)/\(file)")
                for index in bytes.indices.prefix(20) { bytes[index] ^= 0x55 }
                try LocationFiles.overwrite("\(partition)/\(file)", with: bytes)
            }
            try disk.fill()
            let before = try LocationFiles(partition)
            for _ in 1...2 {
                let full = try await tested.backend.open(disk.folder)
                expect(try await full.restore(Sample.window)?.tabs.count ?? 0 > 200)
                expect(try await full.state(of: key) == [UInt8](repeating: 1, count: 30_000))
                let report = try await full.check()
                expect(report.losses.isEmpty == false && report.quarantined == [])
                expect(report.notes.contains { $0.contains("could not be repaired") })
                expect(await errorCode { _ = try await full.save(large(1)) } == .outOfSpace)
                expect(try await full.state(of: key)?.count == 30_000)
                try await full.close()
                expect(try LocationFiles(partition) == before)
            }
            // With space again the next save repairs.
            let healed = try await tested.backend.open(disk.folder)
            try disk.release()
            _ = try await healed.save(large(1))
            expect(try await healed.state(of: key)?.count == 30_000)
            expect(try await healed.check().quarantined.count == 1)
            try await healed.close()
            let again = try await tested.backend.open(disk.folder)
            expect(try await again.state(of: key)?.count == 30_000)
            try await again.close()
        }

        @Test(
            "a running store that is found damaged on a full disk can still be read",
            arguments: TestedEngine.withDirectory)
        func damagedWhileOpen(tested: TestedEngine) async throws {
            let disk = try SmallDisk(kibibytes: 16384)
            let store = try await tested.backend.open(disk.folder)
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
            for file in try LocationFiles(partition).files
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
            expect(unreadable > 0 || tested.backend.name != "directory")
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
