#if os(Linux)
    import TestSupport
    import Expectations

    /// Programs that are started in other ways than by the path of their file.
    struct StartingTests {
        static let programs = ["SESSIONCTL", "DEMOBROWSER", "STORAGEBENCH", "STORAGECHECK"]

        @Test("A tour that is started by its name finds itself")
        func byName() throws {
            let workspace = Workspace()
            let line = "cd / && PATH=\"${DEMOBROWSER%/*}:$PATH\" demobrowser tour --folder $FOLDER"
            let outcome = try Shell.run(line, ["FOLDER": workspace.path]).expectSuccess()
            expect(outcome.hasSuffix("came back as it was when it was killed.\n"))
        }

        @Test(
            "A program that cannot read its arguments does nothing, and says so",
            .enabled(if: SmallDisk.isPossible, "needs the right to mount"), arguments: programs)
        func withoutArguments(program: String) throws {
            let inside = "mount -t tmpfs none /proc && exec \"$\(program)\" list"
            let outcome = try Shell.run("unshare -m sh -c '\(inside)'")
            expect(outcome.status, is: (program == "STORAGECHECK" ? 3 : 2), "\(outcome.messages)")
            expect(outcome.output.isEmpty)
            expect(outcome.messages.contains("cannot read its own arguments"))
        }

        @Test("Help names what there is to choose")
        func help() throws {
            let text = try Tool.run(["import", "--help"]).output
            for format in ["auto", "chrome-ios", "firefox-ios", "chromium-snss", "links"] {
                expect(text.contains(format), "\(text)")
            }
            expect(!text.contains("below"))
        }
    }
#endif
