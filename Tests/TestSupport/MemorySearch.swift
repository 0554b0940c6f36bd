#if os(Linux)
    import Foundation
    import Glibc

    /// Searches all memory that this process may write.
    public struct MemorySearch {
        private let masked: [UInt8]
        private let mask: UInt8

        /// - Parameter masked: what is searched for, each byte masked, so that the search does not find itself.
        public init(_ masked: [UInt8], mask: UInt8) {
            (self.masked, self.mask) = (masked, mask)
        }

        /// How often it is there.
        public func count() throws -> Int {
            let memory = open("/proc/self/mem", O_RDONLY)
            guard memory >= 0 else { throw CocoaError(.fileReadUnknown) }
            defer { close(memory) }
            let size = 1 << 20
            let part = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            defer { part.deallocate() }
            var found = 0
            // Not the memory into which the others are copied.
            let own = UInt(bitPattern: part)..<UInt(bitPattern: part) + UInt(size)
            for range in try ranges().flatMap({ Self.without(own, in: $0) }) {
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

        private static func without(_ own: Range<UInt>, in range: Range<Int>) -> [Range<Int>] {
            let own = Int(own.lowerBound)..<Int(own.upperBound)
            guard range.overlaps(own) else { return [range] }
            return [
                range.lowerBound..<max(range.lowerBound, own.lowerBound),
                min(range.upperBound, own.upperBound)..<range.upperBound,
            ]
        }

        /// A file of the kernel, which says that it is empty.
        public static func text(_ path: String) throws -> String {
            let file = open(path, O_RDONLY)
            guard file >= 0 else { throw CocoaError(.fileReadUnknown) }
            defer { close(file) }
            var text: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(file, &part, part.count), count > 0 {
                text += part[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }

        private func ranges() throws -> [Range<Int>] {
            let maps = try Self.text("/proc/self/maps")
            return maps.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ")
                let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
                return fields[1].hasPrefix("rw") && bounds.count == 2
                    ? bounds[0]..<bounds[1] : nil
            }
        }

        private func occurrences(in part: UnsafeRawPointer, _ count: Int) -> Int {
            guard count >= masked.count else { return 0 }
            // Most of the memory is zeros: the first byte that is none is looked for.
            let pivot = masked.firstIndex { $0 != mask } ?? 0
            let wanted = Int32(masked[pivot] ^ mask)
            var place = part + pivot
            var found = 0
            var rest = count - masked.count + 1
            while rest > 0, let hit = memchr(place, wanted, rest).map(UnsafeRawPointer.init) {
                let candidate = hit - pivot
                if masked.indices.allSatisfy({
                    candidate.load(fromByteOffset: $0, as: UInt8.self) == masked[$0] ^ mask
                }) {
                    found += 1
                }
                rest -= hit - place + 1
                place = hit + 1
            }
            return found
        }
    }
#endif
