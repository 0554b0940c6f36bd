import BrowserSessions
import Expectations
import TestSupport

@testable import StorageEngines

/// The names of items in the quarantine, which alone tell the newest.
@Suite("names in the quarantine")
struct QuarantineNameTests {
    private let folder = TemporaryFolder()

    private func keep(_ number: Int, at time: Int64, _ reason: String) throws {
        let directory = try PosixFileSystem().directory(at: folder.path)
        try Quarantine(root: directory, now: time).keep(
            bytes: Array("item \(number)".utf8), reason: reason, [])
    }

    private func kept() throws -> [String] {
        let directory = try PosixFileSystem().directory(at: folder.path)
        return try Quarantine(root: directory, now: 0).items().map {
            String(decoding: try FileSystem.read("\($0)/records"), as: UTF8.self)
        }
    }

    @Test func manyOfOneSecond() throws {
        for number in 1...23 {
            try keep(number, at: 1_700_000_000, number % 2 == 0 ? "damaged-store" : "a-repair")
            expect(try kept() == (max(1, number - 4)...number).map { "item \($0)" })
        }
    }

    /// A clock that goes back makes nothing that comes older than what is there.
    @Test func aClockThatGoesBack() throws {
        for (number, time) in [100, 90, 80, 200, 10, 10, 10].enumerated() {
            try keep(number, at: 1_700_000_000 + Int64(time), "damaged-store")
            expect(try kept().last == "item \(number)")
        }
        expect(try kept() == (2...6).map { "item \($0)" })
    }

    @Test func namesOfOthers() throws {
        for name in ["zzz", "20990101T000000Z", "20990101T000000Z-x-y", "20990101T000000Z--"] {
            try FileSystem.makeDirectories(folder.file("quarantine/\(name)"))
        }
        try keep(1, at: 1_700_000_000, "damaged-store")
        expect(
            try FileSystem.contents(of: folder.file("quarantine")).contains {
                $0.hasPrefix("20231114T221320Z-")
            })
    }

    /// Behind the greatest number is none, and such an item is not of the quarantine's making.
    @Test(arguments: [
        "9223372036854775807", "18446744073709551615", "72057594037927935", "72057594037927936",
        "-1",
    ])
    func numbersOfOthers(number: String) throws {
        let name = "99991231T235959Z-\(number)-damaged-store"
        try FileSystem.makeDirectories(folder.file("quarantine/\(name)"))
        for item in 1...3 { try keep(item, at: 1_700_000_000, "damaged-store") }
        let names = try FileSystem.contents(of: folder.file("quarantine"))
        expect(names.contains(name))
        expect(names.count { $0.hasPrefix("20231114T221320Z-0000") }, is: 3)
    }
}
