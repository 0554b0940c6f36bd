import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

/// `backup` to one file.
@Suite("Packed backups")
struct PackedBackupTests {
    private let workspace = Workspace()
    private let looks = LookTests()
    private static let names = [
        "directory": "one", "sqlite": "host:on\\e", "leveldb": String(repeating: "ü1", count: 70),
    ]

    /// Unpacks an archive with the system's `tar` in a new folder.
    private func unpack(_ path: String, in folder: String) throws {
        try FileSystem.makeDirectory(folder)
        try shell("tar -xf - -C \"$2\" < \"$1\"", path, folder)
    }

    private func shell(_ text: String, _ arguments: String...) throws {
        let outcome = try ProgramOutcome(of: ["/bin/sh", "-c", text, "sh"] + arguments)
        expect(outcome.status, is: 0, "\(text): \(outcome.messages)")
    }

    @Test(
        "An archive holds the store in use, and replaces the one before",
        arguments: Workspace.backends)
    func packing(backend: String) async throws {
        let store = try await looks.store(backend, .healthy, workspace)
        try FileSystem.makeDirectory(workspace.file("archives"))
        let name = try require(Self.names[backend])
        let path = workspace.file("archives/\(name).tar")
        try await workspace.withStore(store) { owner in
            for count in UInt64(6)...7 {
                _ = try await owner.save(looks.tabs(0..<count))
                let before = try looks.picture(workspace.file("profile"))
                let answer = try Tool.run(["backup", path, "--storage", store, "--format", "json"])
                    .json()
                let digest = try Tool.run(["digest", "--storage", store]).output
                expect(answer["sha256"].text.map { $0 + "\n" }, is: digest)
                expect(answer["path"].text == path && answer["isCompared"] == .bool(true))
                expect(answer["bytes"].integer, is: (try FileSystem.status(path)?.size))
                expect(try FileSystem.status(path)?.permissions == 0o600)
                expect(try FileSystem.contents(of: workspace.file("archives")).count == 1)
                expect(try looks.picture(workspace.file("profile")) == before)
                let unpacked = workspace.file("unpacked-\(count)")
                try unpack(path, in: unpacked)
                let look = try Tool.run(["digest", "\(unpacked)/\(name)"])
                expect(look.output == digest && look.messages == "", "\(look.messages)")
            }
        }
    }

    /// A member as any program may write it.
    private func member(_ path: String, _ type: String, _ bytes: [UInt8] = [], size: Int? = nil)
        -> [UInt8]
    {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, _ place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        put(path, 0)
        put(String(size ?? bytes.count, radix: 8), 124)
        put(type, 156)
        put("ustar  ", 257)
        put("        ", 148)
        put(String(header.reduce(0) { $0 + Int($1) }, radix: 8), 148)
        return header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
    }

    /// What is appended to an archive that is a backup, by what is said of it then.
    private var added: [String: [UInt8]] {
        let pax = [UInt8]("22 GNU.sparse.major=1\n".utf8)
        return [
            "good/notes.txt": member("good/notes.txt", "0", [1, 2, 3]),
            "other/notes.txt": member("other/notes.txt", "0", [1]),
            "mine/notes.txt' is no file": member(
                "././@LongLink", "L", [UInt8]("mine/notes.txt\0".utf8))
                + member("short", "0", [1]),
            "good/lock": member("good/lock", "0", [1]),
            "good/link' is a link or a device, of type '2'": member("good/link", "2"),
            "good/other-link' is a link or": member("good/other-link", "1"),
            "good/device' is a link or a device": member("good/device", "3"),
            "good/pipe' is a link or a device": member("good/pipe", "6"),
            "'/etc/passwd' leads out": member("/etc/passwd", "0", [1]),
            "'good/../../x' leads out": member("good/../../x", "0", [1]),
            "good/hole' is stored sparse": member("good/hole", "S", [1]),
            "good/holes' is stored sparse": member("x", "x", pax) + member("good/holes", "0", [1]),
            "store.json' is in it twice": member("good/store.json", "0", [1]),
            "is cut": member("good/long", "0", [1], size: 1 << 40),
            "or damaged": [UInt8](repeating: 7, count: 512),
            "behind its end": [UInt8](repeating: 0, count: 1024) + member("good/x", "0", [1]),
        ]
    }

    @Test("What is there and no packed backup, or something else, too, stays; nothing hangs")
    func places() throws {
        let store = try workspace.imported("sqlite")
        func backUp(_ name: String) throws -> ProgramOutcome {
            try Tool.run(["backup", workspace.file(name + ".tar"), "--storage", store])
        }
        try backUp("good").expectSuccess()
        let good = try FileSystem.read(workspace.file("good.tar"))
        let members = Array(good.dropLast(1024))
        for (index, (words, bytes)) in added.sorted(by: { $0.key < $1.key }).enumerated() {
            try FileSystem.replace(
                workspace.file("added-\(index).tar"),
                with: members + bytes + [UInt8](repeating: 0, count: 1024))
            let before = try looks.picture(workspace.path)
            try backUp("added-\(index)").expectRefusal(words)
            expect(try looks.picture(workspace.path) == before, "\(words)")
        }
        try FileSystem.replace(workspace.file("cut.tar"), with: Array(good.prefix(good.count / 2)))
        try FileSystem.replace(workspace.file("noise.tar"), with: [1, 2, 3])
        try FileSystem.makeDirectory(workspace.file("folder.tar"))
        try FileSystem.makeDirectory(workspace.file("other.tar.unfinished"))
        try FileSystem.replace(workspace.file("other.tar.unfinished/notes"), with: [1])
        try shell(
            "mkfifo \"$1\"; ln -s good.tar \"$2\"", workspace.file("pipe.tar"),
            workspace.file("link.tar"))
        let before = try FileSystem.contents(of: workspace.path)
        for name in [
            "cut", "noise", "folder", "other", "pipe", "link", "profile/inside", "new/", ".", "",
        ] {
            try backUp(name).expectRefusal()
            expect(try FileSystem.contents(of: workspace.path) == before, "\(name)")
        }
        expect(try FileSystem.read(workspace.file("good.tar")) == good)
        expect(try Tool.run(["backup", "a.tar", "--keep", "2", "--storage", store]).status == 64)
    }

    @Test("What a killed process left goes")
    func left() throws {
        let store = try workspace.imported("sqlite")
        let left = workspace.file("one.tar.unfinished")
        try FileSystem.makeDirectories(left + "/packed")
        for name in ["backup.unfinished", "archive", "packed/store.json"] {
            try FileSystem.replace("\(left)/\(name)", with: [])
        }
        try Tool.run(["backup", workspace.file("one.tar"), "--storage", store]).expectSuccess()
        expect(try !FileSystem.exists(left))
    }

    @Test("What another program packed of a backup is one, and is replaced")
    func packedElsewhere() throws {
        let store = try workspace.imported("directory")
        let (path, folder) = (workspace.file("one.tar"), workspace.file("unpacked"))
        let backUp = ["backup", path, "--storage", store]
        try Tool.run(backUp).expectSuccess()
        try unpack(path, in: folder)
        let long = String(repeating: "long-", count: 30)
        for arguments in ["v7", "ustar", "oldgnu", "gnu", "pax"].map({ "--format=\($0) one" }) + [
            "--format=gnu ./one", "--format=gnu \(long)", "--format=pax \(long)",
            "--format=pax --pax-option=comment=text one", "--format=gnu --mtime=@-5 -b 1 one",
        ] {
            if arguments.hasSuffix(long) {
                try FileSystem.move("\(folder)/one", to: "\(folder)/\(long)")
            }
            try shell("cd \"$2\" && tar -cf - \(arguments) > \"$1\"", path, folder)
            if arguments.hasSuffix(long) {
                try FileSystem.move("\(folder)/\(long)", to: "\(folder)/one")
            }
            let packed = try FileSystem.read(path)
            try Tool.run(backUp).expectSuccess()
            expect(try FileSystem.read(path) != packed, "\(arguments)")
        }
    }
}
