#if os(Linux)
    import BrowserSessions
    import StorageEngines
    import TestSupport
    import Expectations

    /// Results that cannot be written are no reason to crash, and none to leave a store as a kill does.
    struct OutputFailureTests {
        static let lines = [
            "$SESSIONCTL list --storage $STORE", "$SESSIONCTL list --format json --storage $STORE",
            "$SESSIONCTL list --format json-lines --storage $STORE",
            "$SESSIONCTL export - --storage $STORE", "$SESSIONCTL --help", "$SESSIONCTL --version",
            "echo windows | $DEMOBROWSER --storage $STORE", "$DEMOBROWSER --help",
            "$STORAGEBENCH --list", "$STORAGEBENCH --version",
        ]
        let workspace: Workspace
        let store: String

        init() throws {
            workspace = Workspace()
            store = try workspace.imported("sqlite")
        }

        func digest() throws -> String { try Tool.run(["digest", "--storage", store]).output }

        func run(_ line: String) throws -> ProgramOutcome {
            try Shell.run(line, ["STORE": store])
        }

        @Test("A full disk is reported, with exit code 2", arguments: lines)
        func full(line: String) throws {
            let outcome = try run("\(line) > /dev/full")
            expect(outcome.status, is: 2)
            expect(outcome.messages.contains("cannot write to standard output: No space left"))
            expect(outcome.messages.split(separator: "\n").count, is: 1, "\(outcome.messages)")
        }

        @Test("So is a standard output that was never there", arguments: lines)
        func closed(line: String) throws {
            let digest = try digest()
            try run("\(line) >&-").expectRefusal("cannot write to standard output: ")
            if !line.contains("DEMOBROWSER") {
                expect(try self.digest() == digest)
            }
        }

        @Test("A reader who wants no more is no failure to tell", arguments: lines)
        func broken(line: String) throws {
            // What the tool writes has no reader: the pipe is broken from the start.
            let outcome = try run("{ \(line); echo $? >&2; } | true")
            let code = outcome.messages.split(separator: "\n").last
            expect(code == "0" || code == "2")
            expect(outcome.messages.split(separator: "\n").count, is: 1, "\(outcome.messages)")
        }

        @Test(
            "A full disk is no refusal of a session: exit code 2",
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
        func fullDiskOfAStore() throws {
            let disk = try SmallDisk(kibibytes: 1024)
            let store = "directory://\(disk.path)/profile"
            try Tool.run(["init", "--storage", store]).expectSuccess()
            let large = workspace.file("links.txt")
            let lines = (0..<40_000).map {
                "https://example.org/a/page/with/a/long/address/\($0)\n"
            }
            try FileSystem.replace(large, with: Array(lines.joined().utf8))
            try Tool.run(["import", large, "--storage", store]).expectRefusal("(outOfSpace)")
        }

        @Test func headOfALongList() throws {
            // More than a pipe holds: a short list may be written before its reader goes.
            let links = workspace.file("links.txt")
            let lines = (0..<2_000).map { "https://example.org/a/page/with/an/address/\($0)\n" }
            try FileSystem.replace(links, with: Array(lines.joined().utf8))
            try Tool.run(["import", links, "--storage", store]).expectSuccess()
            let outcome = try run("$SESSIONCTL export - --storage $STORE | head -c 1")
            expect(outcome.output, is: "{")
            expect(outcome.messages.isEmpty, "\(outcome.messages)")
        }

        /// What is opened first must not be taken for standard output or error.
        @Test(
            "Without any standard stream a store is not written to as one",
            arguments: Workspace.backends)
        func noStandardStreams(backend: String) throws {
            let store = try workspace.imported(backend, "other")
            for command in ["list", "check", "repair"] {
                try Shell.run(
                    "$SESSIONCTL \(command) --storage $STORE <&- >&- 2>&-", ["STORE": store]
                ).expectRefusal()
            }
            let other = try Tool.run(["digest", "--storage", store])
            expect(try other.output == digest())
        }

        @Test func storagecheckEndsWithItsOwnCode() throws {
            try run("$STORAGECHECK list > /dev/full").expectRefusal(
                "cannot write to standard output: No space left", status: 3)
        }
    }
#endif
