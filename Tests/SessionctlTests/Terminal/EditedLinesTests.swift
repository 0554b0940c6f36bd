#if os(Linux)
    import ChildProcesses
    import Foundation
    import Glibc
    import TestSupport
    import Expectations

    /// The browser in a terminal, where a person edits the commands.
    struct EditedLinesTests {
        /// A browser in a terminal, and what it wrote.
        private final class Session {
            /// What draws an empty line, when keys come one by one.
            static let prompt = "\r> \u{1B}[K\r\u{1B}[2C"

            let terminal: PseudoTerminal
            let program: RunningProgram
            private let workspace: Workspace
            private(set) var text = ""
            /// What was written and not waited for yet.
            private var unseen = ""

            init(_ environment: [String: String] = ["TERM": "xterm"]) throws {
                workspace = Workspace()
                terminal = try PseudoTerminal(columns: 80)
                let descriptor = try terminal.open()
                program = try RunningProgram(
                    [
                        BuiltProgram.named("demobrowser").path, "--storage",
                        workspace.store("directory"),
                    ], environment: Tool.keysInFiles.merging(environment) { $1 },
                    input: .descriptor(descriptor), output: .descriptor(descriptor),
                    messages: .file(workspace.file("messages")), limit: 100)
            }

            /// Waits until something was written behind what was waited for, or the program has ended.
            func wait(for words: String) {
                // waits: each turn reads what the program has written
                while !unseen.contains(words), case let bytes = terminal.read(), !bytes.isEmpty {
                    let new = String(decoding: bytes, as: UTF8.self)
                    (text, unseen) = (text + new, unseen + new)
                }
                let found = unseen.range(of: words)
                expect(found != nil, "\(words) after \(text)")
                if let found { unseen = String(unseen[found.upperBound...]) }
            }

            var isRaw: Bool { terminal.isRaw }
        }

        @Test("Commands are edited, come back, and follow links by number")
        func editing() throws {
            let session = try Session()
            session.wait(for: Session.prompt)
            expect(session.isRaw)
            for (keys, answer) in [
                ("opn\u{1B}[De\u{1B}[C demo:page/7", "1 -> demo:page/8"),
                ("go 2", "1 -> demo:page/15"),
                ("\u{1B}[A\u{7F}1", "1 -> demo:page/16"), ("move 2 1", "moved tab 2 to 1: Page 15"),
                ("go 9", "\r"),
            ] {
                session.terminal.type(keys + "\r")
                for words in [answer, Session.prompt] { session.wait(for: words) }
            }
            session.terminal.type("\u{04}")
            expect(session.program.end(), is: .exited(0), "\(session.text)")
            expect(!session.isRaw)
        }

        @Test("A signal while a line is edited leaves the terminal as it was", arguments: [SIGTERM])
        func signals(signal: Int32) throws {
            let session = try Session()
            session.wait(for: Session.prompt)
            session.terminal.type("op")
            session.wait(for: "op")
            expect(session.isRaw)
            session.program.send(signal)
            expect(session.program.end(), is: .signal(signal))
            expect(!session.isRaw)
        }

        @Test func aTerminalThatCannotMoveItsCursorGetsPlainLines() throws {
            let session = try Session(["TERM": "dumb"])
            session.wait(for: "> ")
            expect(!session.isRaw)
            session.terminal.type("quit\n")
            expect(session.program.end(), is: .exited(0))
            expect(!session.text.contains("\u{1B}"))
        }
    }
#endif
