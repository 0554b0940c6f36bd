#if os(Linux)
    import BrowserSessions
    import DirectoryBackend
    import Foundation
    import IncognitoEncryption
    import StorageEngines
    import Synchronization
    import TestSupport
    import Expectations

    /// An incognito key is in memory as long as it is needed, in pages that no dump has.
    @Suite("keys in memory") struct KeyWipingTests {
        /// Notes the key that it is given, masked.
        private final class NotingKeys: IncognitoKeyStore {
            static let mask: UInt8 = 0x5a
            let base: any IncognitoKeyStore
            private let masked = Mutex<[UInt8]>([])

            init(_ base: any IncognitoKeyStore) { self.base = base }

            var name: String { "noting" }
            var survives: Durability { base.survives }
            var keepsKeysInStore: Bool { base.keepsKeysInStore }
            var search: MemorySearch {
                MemorySearch(masked.withLock { $0 }, mask: Self.mask)
            }

            func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?)
                throws
            {
                let noted = key.withUnsafeBytes { $0.prefix(32).map { $0 ^ Self.mask } }
                masked.withLock { $0 = noted }
                try base.save(key, for: id, of: store)
            }

            func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws -> SecretBytes?
            {
                try base.key(for: id, of: store)
            }

            func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) throws {
                try base.destroy(id, of: store)
            }
        }

        // In processes of their own: other tests move memory about while it is searched.
        @Test("of a key in memory nothing is left when it is destroyed")
        func memory() async {
            await #expect(processExitsWith: .success) { try await Self.run(MemoryKeyStore()) }
        }

        @Test("of a key in a file nothing is left when it is destroyed")
        func file() async {
            await #expect(processExitsWith: .success) { try await Self.run(FileKeyStore()) }
        }

        @Test(
            "of a key in the keyring nothing is left when it is destroyed",
            .enabled(if: KeyringKeyStore.isUsable))
        func keyring() async {
            await #expect(processExitsWith: .success) { try await Self.run(KeyringKeyStore()) }
        }

        private static func run(_ base: any IncognitoKeyStore) async throws {
            let folder = TemporaryFolder()
            let keys = NotingKeys(base)
            let sealed = StorageBackend.directory(incognitoKeys: keys)
            var store = try await sealed.open(folder)
            _ = try await store.save(Sample.window(tabs: 2, id: Sample.incognito))
            let search = keys.search
            // Only who keeps keys in memory needs one now.
            expect(try search.count() == (base is MemoryKeyStore ? 1 : 0))
            try await store.close()
            // The key comes back out of the key store.
            store = try await sealed.open(folder)
            expect(try await store.sessions() == [Sample.incognito])
            try await store.deleteIncognito()
            expect(try search.count() == 0)
            try await store.close()
            expect(try search.count() == 0)
        }

        @Test("the search sees a key as long as one is held, and its pages are left out of dumps")
        func pages() async {
            await #expect(processExitsWith: .success) {
                // It begins with zeros, as most of the memory does.
                let plain = [0, 0] + (2..<32).map { UInt8($0) &* 29 &+ 7 }
                let search = MemorySearch(plain.map { $0 ^ 0x33 }, mask: 0x33)
                let others = try search.count()
                var secret: SecretBytes? = SecretBytes(copying: plain)
                expect(try search.count() == others + 1)
                let address = try require(secret).withUnsafeBytes {
                    UInt(bitPattern: $0.baseAddress)
                }
                expect(try Self.flags(at: address).contains("dd"))
                secret = nil
                expect(try search.count() == others)
            }
        }

        /// What the kernel says of the memory at an address.
        private static func flags(at address: UInt) throws -> [Substring] {
            let maps = try MemorySearch.text("/proc/self/smaps")
            var isThere = false
            for line in maps.split(separator: "\n") {
                let fields = line.split(separator: " ")
                let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if bounds.count == 2 { isThere = (bounds[0]..<bounds[1]).contains(address) }
                if isThere, fields[0] == "VmFlags:" { return fields }
            }
            return []
        }
    }
#endif
