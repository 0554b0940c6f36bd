#if os(Linux)
    import Foundation
    import Glibc
    import PlatformCrypto
    import TestSupport
    import Testing

    /// Looks for a key in the memory of this process, with and without somebody who holds it.
    @Suite struct WipingTests {
        static let key = [UInt8](100..<132)
        static let info = [UInt8]("wiping".utf8)
        /// What HKDF makes of the two, each byte masked, so that the search does not find itself.
        static let mask: UInt8 = 0x5a
        static let masked = """
            17c65900dcfed3dde97ff64ad6ba1cee \
            ff2462657d097279c0e7e926e54a4bcf
            """

        // In processes of their own: other tests move memory about while it is searched.
        @Test func noKeyOfACipherStaysBehind() async {
            await #expect(processExitsWith: .success) { try Self.search("cipher") }
        }

        @Test func noKeyOfAnHMACStaysBehind() async {
            await #expect(processExitsWith: .success) { try Self.search("hmac") }
        }

        private static func search(_ user: String) throws {
            let search = try MemorySearch(masked, mask: mask)
            #expect(try search.count() == 0)
            do {
                let holder = try holder(user)
                #expect(try search.count() > 0, "the search must see what is there")
                withExtendedLifetime(holder) {}
            }
            #expect(try search.count() == 0)
        }

        /// Somebody who has used the key.
        private static func holder(_ user: String) throws -> any Sendable {
            guard user == "cipher" else {
                let hmac = try HMACSHA256(derivedFrom: key, for: info)
                _ = try hmac.code(for: [1, 2, 3])
                return hmac
            }
            let cipher = try AES256GCM(derivedFrom: key, for: info)
            let sealed = try cipher.seal([1, 2, 3], authenticating: [4])
            #expect(try cipher.open(sealed, authenticating: [4]) == [1, 2, 3])
            return cipher
        }
    }

    /// Searches all memory that this process may write.
    private struct MemorySearch {
        private let masked: [UInt8]
        private let mask: UInt8

        init(_ masked: String, mask: UInt8) throws {
            self.masked = try [UInt8](hexadecimal: masked)
            self.mask = mask
        }

        func count() throws -> Int {
            let memory = open("/proc/self/mem", O_RDONLY)
            try #require(memory >= 0)
            defer { close(memory) }
            let size = 1 << 20
            let part = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            defer { part.deallocate() }
            var found = 0
            for range in try ranges() {
                // Parts overlap, so that no key lies between two.
                for start in stride(from: range.lowerBound, to: range.upperBound, by: size - 32) {
                    memset(part, 0, size)
                    let wanted = min(size, range.upperBound - start)
                    let read = pread(memory, part, wanted, off_t(start))
                    found += occurrences(in: part, read)
                }
            }
            memset(part, 0, size)
            return found
        }

        private func ranges() throws -> [Range<Int>] {
            let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            return maps.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ")
                let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
                return fields[1].hasPrefix("rw") && bounds.count == 2
                    ? bounds[0]..<bounds[1] : nil
            }
        }

        private func occurrences(in part: UnsafeRawPointer, _ count: Int) -> Int {
            guard count >= masked.count else { return 0 }
            var place = part
            var found = 0
            var rest = count - masked.count + 1
            let first = Int32(masked[0] ^ mask)
            while rest > 0, let hit = memchr(place, first, rest) {
                let candidate = UnsafeRawPointer(hit)
                if masked.indices.allSatisfy({
                    candidate.load(fromByteOffset: $0, as: UInt8.self) == masked[$0] ^ mask
                }) {
                    found += 1
                }
                rest -= candidate - place + 1
                place = candidate + 1
            }
            return found
        }
    }
#endif
