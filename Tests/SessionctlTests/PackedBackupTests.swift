import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

/// `backup` to one file.
@Suite("Packed backups")
struct PackedBackupTests {
    private let looks = LookTests()

    @Test(
        "An archive holds the store in use, and replaces the one before",
        arguments: Workspace.backends)
    func packing(backend: String) async throws {
        let workspace = Workspace()
        let store = try await looks.store(backend, .healthy, workspace)
        try FileSystem.makeDirectory(workspace.file("archives"))
        let path = workspace.file("archives/one.tar")
        try await workspace.withStore(store) { owner in
            for count in UInt64(6)...7 {
                _ = try await owner.save(looks.tabs(0..<count))
                let before = try looks.picture(workspace.file("profile"))
                let outcome = try Tool.run(["backup", path, "--storage", store, "--format", "json"])
                expect(outcome.status, is: 0, "\(outcome.messages)")
                let answer = try outcome.json()
                let digest = try Tool.run(["digest", "--storage", store]).output
                expect(answer["sha256"].text.map { $0 + "\n" }, is: digest)
                expect(answer["path"].text == path && answer["isCompared"] == .bool(true))
                expect(answer["bytes"].integer, is: (try FileSystem.status(path)?.size))
                expect(try FileSystem.status(path)?.permissions == 0o600)
                expect(try FileSystem.contents(of: workspace.file("archives")) == ["one.tar"])
                expect(try looks.picture(workspace.file("profile")) == before)
                let unpacked = workspace.file("unpacked-\(count)")
                try FileSystem.makeDirectory(unpacked)
                let tar = try ProgramOutcome(of: [
                    "/usr/bin/env", "tar", "-xf", path, "-C", unpacked,
                ])
                expect(tar.status, is: 0)
                let look = try Tool.run(["digest", "--storage", "\(backend)://\(unpacked)/one"])
                expect(look.output == digest && look.messages == "")
            }
        }
    }

    @Test("What is there and no packed backup stays, and what a killed process left goes")
    func places() throws {
        let workspace = Workspace()
        let store = try workspace.imported("sqlite")
        try FileSystem.makeDirectories(workspace.file("mine/inner"))
        try FileSystem.replace(workspace.file("mine/inner/backup.json"), with: Array("{}".utf8))
        let own = try ProgramOutcome(
            of: [
                "/usr/bin/env", "tar", "-cf", workspace.file("own.tar"), "-C",
                workspace.file("mine"), "inner",
            ])
        expect(own.status, is: 0)
        try FileSystem.replace(workspace.file("noise.tar"), with: [1, 2, 3])
        try FileSystem.makeDirectory(workspace.file("folder.tar"))
        try FileSystem.makeDirectory(workspace.file("other.tar.unfinished"))
        try FileSystem.replace(workspace.file("other.tar.unfinished/notes"), with: [1])
        let before = try looks.picture(workspace.path)
        for name in ["own", "noise", "folder", "other", "profile/inside"] {
            let outcome = try Tool.run([
                "backup", workspace.file(name + ".tar"), "--storage", store,
            ])
            expect(outcome.status, is: 2, "\(name): \(outcome.messages)")
            expect(try looks.picture(workspace.path) == before, "\(name)")
        }
        expect(try Tool.run(["backup", "a.tar", "--keep", "2", "--storage", store]).status == 64)
        let left = workspace.file("one.tar.unfinished")
        try FileSystem.makeDirectories(left + "/one")
        for name in ["backup.unfinished", "archive.tar", "one/store.json"] {
            try FileSystem.replace("\(left)/\(name)", with: [])
        }
        let outcome = try Tool.run(["backup", workspace.file("one.tar"), "--storage", store])
        expect(outcome.status, is: 0, "\(outcome.messages)")
        expect(try !FileSystem.exists(left))
    }

    @Test("Without 'tar', or with one that changes bytes, nothing is made and the one before stays")
    func badProgram() throws {
        let workspace = Workspace()
        let store = try workspace.imported("directory")
        let path = workspace.file("one.tar")
        expect(try Tool.run(["backup", path, "--storage", store]).status == 0)
        let programs = workspace.file("programs")
        try FileSystem.makeDirectory(programs)
        let before = try looks.picture(workspace.path)
        let missing = try Tool.run(
            ["backup", path, "--storage", store], environment: ["PATH": programs])
        expect(missing.status == 2 && missing.messages.contains("no program 'tar'"))
        expect(try looks.picture(workspace.path) == before)
        let script = """
            #!/bin/sh
            PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
            tar "$@" || exit
            if [ "$1" = -cf ]; then sed 's/browser-sessions/bRowser-sessions/' "$2" > "$2.new" && cat "$2.new" > "$2"; fi
            """
        try FileSystem.replace(programs + "/tar", with: Array(script.utf8))
        expect(chmod(programs + "/tar", 0o700), is: 0)
        let archive = try FileSystem.read(path)
        let changed = try Tool.run(
            ["backup", path, "--storage", store], environment: ["PATH": programs])
        expect(changed.status, is: 1, "\(changed.messages)")
        expect(changed.messages.contains("is not what was packed"))
        expect(try FileSystem.read(path) == archive)
        expect(try !FileSystem.exists(path + ".unfinished"))
    }
}
