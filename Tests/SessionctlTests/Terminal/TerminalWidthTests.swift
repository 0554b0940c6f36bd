#if os(Linux)
    import BrowserSessions
    import CommandLineSupport
    import TestSupport
    import Expectations

    /// On a terminal a table is as wide as that; elsewhere it is whole.
    struct TerminalWidthTests {
        let workspace: Workspace
        let store: String
        let session = SessionID(window: WindowID(high: 7, low: 7))
        static let title = "夜の図書館で読む本 👩‍👩‍👧‍👦 と、とても長い題名のページについて"
        static let url =
            "https://books.example.org/shelves/the-night-library/with/a/very/long/path/indeed?page=1"

        init() async throws {
            workspace = Workspace()
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: Self.title), for: session)
            for (number, place) in OrderKey.evenlySpaced(count: 3).enumerated() {
                changes.put(
                    TabMetadata(
                        id: TabID(high: 1, low: UInt64(number)), place: place, url: Self.url,
                        title: Self.title), in: session)
            }
            store = try await workspace.store(holding: changes)
        }

        func lines(_ arguments: [String], _ columns: UInt16, _ environment: [String: String] = [:])
            throws -> [Substring]
        {
            let outcome = try PseudoTerminal.run(
                arguments + ["--storage", store], columns: columns, environment
            ).expectSuccess(isSilent: true)
            return outcome.split(separator: "\n")
        }

        @Test("Lists are cut to the terminal", arguments: [40, 80, 200] as [UInt16])
        func list(columns: UInt16) throws {
            let lines = try lines(["list", "--color", "never"], columns)
            expect(lines.count == 3 && lines[1] == "Open")
            for line in lines { expect(line.cells <= columns, "\(line)") }
            expect(lines[2].hasPrefix("00000000"))
            // The number of tabs is there as soon as it fits.
            expect(lines[2].hasSuffix("3") && lines[0].hasSuffix("tabs"))
            expect(columns > 40 || lines[2].contains("…"))
            let colored = try self.lines(["list"], columns)
            expect(colored[1], is: "\u{1B}[1mOpen\u{1B}[0m")
            let plain = try self.lines(["list"], columns, ["NO_COLOR": "1"])
            expect(plain, is: lines)
        }

        @Test("Tabs are cut to the terminal", arguments: [40, 80, 200] as [UInt16])
        func tabs(columns: UInt16) throws {
            let lines = try lines(["show", "\(session)"], columns)
            expect(lines.count, is: 4)
            expect(lines[0].cells <= columns)
            for line in lines.dropFirst() {
                expect(line.cells <= columns, "\(line)")
                // Title and address share the line.
                expect(line.contains("夜の図") && line.contains("https://boo"))
                expect(columns == 200 ? line.contains(Self.title) : line.contains("…"))
                expect(columns == 200 ? line.hasSuffix("?page=1") : line.cells >= columns - 2)
            }
        }

        @Test func aTerminalThatDoesNotKnowItsSizeGetsItFromTheEnvironment() throws {
            for line in try lines(["show", "\(session)"], 0, ["COLUMNS": "60"]).dropFirst() {
                expect((58...60).contains(line.cells))
            }
            for line in try lines(["show", "\(session)"], 0, ["COLUMNS": "many"]).dropFirst() {
                expect((78...80).contains(line.cells))
            }
        }

        @Test func elsewhereNothingIsCut() throws {
            let outcome = try Tool.run(
                ["show", "\(session)", "--storage", store], environment: ["COLUMNS": "40"])
            expect(outcome.output.contains("\(Self.title)  \(Self.url)\n"))
        }
    }
#endif
