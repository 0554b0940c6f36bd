import Expectations

@testable import StorageConformance

/// What lies on a medium after a power cut, by rules that anyone can check by reading.
@Suite("A simulated disk")
struct SimulatedDiskTests {
    /// A disk to which something was done.
    private func disk(_ model: DiskModel, _ actions: [DiskTrace.Action]) -> SimulatedDisk {
        var disk = SimulatedDisk(model)
        for action in actions { disk.apply(action) }
        return disk
    }

    private static let bytes =
        [UInt8]("abcdefgh".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 4096)

    private static func writing(_ node: UInt64, _ range: Range<Int>) -> DiskTrace.Action {
        .write(node: node, offset: 0, bytes: bytes[range])
    }

    private func files(_ disk: SimulatedDisk, _ cut: PowerCut) -> [String: String] {
        let files = disk.image(after: cut).files
        return Dictionary(
            uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
        )
    }

    private let create = DiskTrace.Action.create(path: "f", node: 7)
    private let write = writing(7, 0..<4)
    private let sync = DiskTrace.Action.sync(node: 7, isOfData: true, isDone: true)
    private let syncNames = DiskTrace.Action.syncDirectory(path: "", isDone: true)

    @Test("what was never synced may be there and may not", arguments: DiskModel.allCases)
    func unsynced(model: DiskModel) {
        let disk = disk(model, [create, write])
        expect(files(disk, .nothing), is: [:])
        expect(files(disk, .everything), is: ["f": "abcd"])
        expect(files(disk, .names), is: ["f": "\0\0\0\0"])
        expect(files(disk, .contents), is: [:])
        let found = Set((0..<200).map { files(disk, .sample($0)) })
        expect(found.isSuperset(of: [[:], ["f": ""], ["f": "abcd"], ["f": "\0\0\0\0"]]))
    }

    @Test("a sync of a file makes its name durable only where names are in order")
    func names() {
        expect(files(disk(.ordered, [create, write, sync]), .nothing), is: ["f": "abcd"])
        expect(files(disk(.strict, [create, write, sync]), .nothing), is: [:])
        expect(files(disk(.strict, [create, write, sync, syncNames]), .nothing), is: ["f": "abcd"])
        expect(files(disk(.strict, [create, write, syncNames]), .nothing), is: ["f": ""])
    }

    @Test("a range that is synced makes the lengths before its end certain")
    func lengthsOfRanges() {
        let end = DiskTrace.Action.write(node: 7, offset: 5000, bytes: Self.bytes[0..<4])
        let range = DiskTrace.Action.syncRange(node: 7, range: 0..<4)
        let disk = disk(.ordered, [create, write, end, range])
        let found = Set(
            (0..<200).flatMap { disk.image(after: .sample($0)).files.map(\.bytes.count) })
        expect(found, is: [4096, 5004])
    }

    @Test("a journal that has a length has the names before it", arguments: DiskModel.allCases)
    func lengthsAfterNames(model: DiskModel) {
        let longer = DiskTrace.Action.write(node: 7, offset: 4, bytes: Self.bytes[4..<8])
        let other = DiskTrace.Action.create(path: "g", node: 8)
        let disk = disk(model, [create, write, sync, syncNames, other, longer])
        let found = (0..<200).map { files(disk, .sample($0)) }
        let isLonger = found.filter { $0["f"]?.utf8.count == 8 }
        expect(!isLonger.isEmpty && found.contains { $0["g"] != nil && $0["f"]?.utf8.count == 4 })
        expect(isLonger.allSatisfy { $0["g"] != nil }, is: (model == .ordered))
    }

    @Test("subsets of what is pending are all of its combinations", arguments: DiskModel.allCases)
    func subsets(model: DiskModel) {
        let later = DiskTrace.Action.write(node: 7, offset: 0, bytes: [UInt8]("wxyz".utf8)[...])
        let other = DiskTrace.Action.create(path: "g", node: 8)
        let synced = [create, write, sync, syncNames]
        let disk = disk(
            model, synced + [later, other, .write(node: 8, offset: 0, bytes: later.bytes)])
        // A page of f; the name, a page and the length of g.
        expect(disk.pieces, is: 4)
        let found = Set((0..<16).map { files(disk, .subset($0)) })
        let ofG: [[String: String]] = [[:], ["g": ""], ["g": "wxyz"], ["g": "\0\0\0\0"]]
        let expected = ["abcd", "wxyz"].flatMap { f in
            ofG.map { $0.merging(["f": f]) { $1 } }
        }
        expect(found, is: Set(expected))
        // Of g the page and the length.
        expect(disk.pieces(of: 8), is: 2)
        let parts = Set((0..<4).map { files(disk, .part(of: 8, $0)) })
        expect(parts, is: Set(ofG.dropFirst().map { $0.merging(["f": "wxyz"]) { $1 } }))
    }

    @Test("names come in their order, or in any", arguments: DiskModel.allCases)
    func order(model: DiskModel) {
        let disk = disk(model, [create, .create(path: "g", node: 8)])
        let found = Set((0..<100).map { Set(files(disk, .sample($0)).keys) })
        expect(found.contains(["g"]), is: (model == .strict))
        expect(found.isSuperset(of: [[], ["f"], ["f", "g"]]))
    }

    @Test("what a failed sync has lost is not there, and no later sync brings it back")
    func failedSync() {
        let failed = DiskTrace.Action.sync(node: 7, isOfData: true, isDone: false)
        let again = disk(.ordered, [create, sync, write, failed, sync])
        // The process reads what it wrote, and the medium has only the length.
        expect(files(disk(.ordered, [create, sync, write, failed]), .everything) != ["f": "abcd"])
        for number in 0..<50 {
            let found = files(
                disk(.ordered, [create, sync, write, failed]), .sample(UInt64(number)))
            expect(found["f"]?.contains("a"), is: false)
        }
        expect(files(again, .nothing)["f"]?.contains("a"), is: false)
    }

    @Test("a name that is given to another file is one or the other", arguments: DiskModel.allCases)
    func replacement(model: DiskModel) {
        let disk = disk(
            model,
            [
                create, write, sync, syncNames, .create(path: "new", node: 8),
                Self.writing(8, 4..<8), .sync(node: 8, isOfData: true, isDone: true),
                .rename(path: "new", to: "f", node: 8),
            ])
        let found = Set((0..<50).map { files(disk, .sample($0))["f"] })
        expect(found, is: ["abcd", "efgh"])
    }

    @Test("a page is torn between sectors, or has some bytes of what was being written")
    func torn() {
        let disk = disk(
            .ordered,
            [create, .truncate(node: 7, length: 4096), sync]
                + [Self.writing(7, 8..<8 + 4096)])
        let new = UInt8(ascii: "x")
        var kinds: Set<Set<UInt8>> = []
        for number in 0..<300 {
            let bytes = disk.image(after: .sample(UInt64(number))).files[0].bytes
            expect(bytes.count, is: 4096)
            let sectors = stride(from: 0, to: 4096, by: 512).map { Set(bytes[$0..<$0 + 512]) }
            // Garbage is in all of what was being written.
            if sectors.allSatisfy({ $0.count > 2 }) {
                kinds.insert([1])
            } else if sectors.contains(where: { $0.count == 2 }) {
                // So are some bytes of the old and some of the new.
                expect(Set(bytes), is: [0, new])
                kinds.insert([2])
            } else {
                expect(sectors.allSatisfy { $0.count == 1 })
                kinds.insert(Set(bytes))
            }
        }
        expect(kinds, is: [[0], [new], [0, new], [1], [2]])
    }

    @Test("a sync of contents makes names durable only if the file grew or is new")
    func data() {
        let rest: [DiskTrace.Action] = [.create(path: "g", node: 8), Self.writing(7, 4..<8)]
        let used = [create, write, sync] + rest
        expect(files(disk(.ordered, used + [sync]), .nothing).keys.sorted(), is: ["f"])
        let whole = DiskTrace.Action.sync(node: 7, isOfData: false, isDone: true)
        expect(files(disk(.ordered, used + [whole]), .nothing).keys.sorted(), is: ["f", "g"])
        let longer = used + [.write(node: 7, offset: 4, bytes: Self.bytes[0..<1]), sync]
        expect(files(disk(.ordered, longer), .nothing).keys.sorted(), is: ["f", "g"])
    }

    @Test("a synchronous write makes its own pages certain, and no others")
    func synchronous() {
        let page = Self.writing(7, 8..<8 + 4096)
        let head = DiskTrace.Action.write(node: 7, offset: 4096, bytes: Self.bytes[0..<4])
        let disk = disk(
            .ordered, [create, page, head, .syncRange(node: 7, range: 4096..<4100)])
        let zeros = String(repeating: "\0", count: 4096)
        expect(files(disk, .nothing), is: ["f": "\(zeros)abcd"])
        expect(files(disk, .everything)["f"]?.hasPrefix("xxxx"), is: true)
    }

    @Test("bytes that were written over may be garbage, and no others")
    func garbage() {
        let over = DiskTrace.Action.write(node: 7, offset: 2, bytes: Self.bytes[4..<6])
        let disk = disk(.ordered, [create, Self.writing(7, 0..<8), sync, over])
        let found = (0..<200).map { disk.image(after: .sample($0)).files[0].bytes }
        for bytes in found {
            expect(bytes.prefix(2) == [97, 98] && bytes.dropFirst(4) == [101, 102, 103, 104])
        }
        expect(Set(found).count > 3)
    }

    @Test("pages behind a shortened end do not come back with the new length")
    func shortened() {
        let disk = disk(
            .ordered,
            [create, write, sync, .truncate(node: 7, length: 1), .truncate(node: 7, length: 4)])
        let found = Set((0..<100).map { files(disk, .sample($0))["f"] })
        expect(found, is: ["abcd", "a", "a\0\0\0"])
    }
}

extension DiskTrace.Action {
    fileprivate var bytes: ArraySlice<UInt8> {
        if case .write(_, _, let bytes) = self { bytes } else { [] }
    }
}
