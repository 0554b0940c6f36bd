#if os(Linux)
    import BrowserSessions
    import CommandLineSupport
    import StorageEngines
    import TestSupport
    import Expectations

    /// Nothing that comes from a store, a file, a path or the command line drives a terminal.
    struct HostileTextTests {
        /// Every character that is no text: controls, directions, separators, what is not seen.
        static let characters: [Unicode.Scalar] = {
            let ranges: [ClosedRange<UInt32>] = [
                1...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160,
                0x180E...0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164,
                0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF9...0xFFFB, 0xFFFD...0xFFFD,
                0x1D173...0x1D17A, 0xE0001...0xE0001, 0xE0020...0xE007F, 0xE0100...0xE01EF,
            ]
            return ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
        }()

        /// All of them, between letters, with sequences that terminals obey.
        static let text: String = {
            var text = "]0;mine\u{7}\u{1B}[2J\u{1B}]52;c;aGk=\u{1B}\\\u{9B}31m\r\n"
            for character in characters {
                text.unicodeScalars.append(contentsOf: ["x", character])
            }
            return text
        }()

        let workspace: Workspace
        let store: String
        let session = SessionID(window: WindowID(high: 7, low: 7))

        init() async throws {
            workspace = Workspace()
            var changes = SessionChanges()
            var attributes = SessionAttributes(title: Self.text)
            let group = StructureNode.group(id: NodeID(high: 3, low: 1), name: Self.text)
            attributes.properties = [Self.text: Self.text]
            changes.put(attributes, for: session)
            changes.put(group, in: session)
            var tab = TabMetadata(
                id: TabID(high: 1, low: 1), place: OrderKey.evenlySpaced(count: 1)[0],
                url: "https://e.org/" + Self.text, title: Self.text)
            tab.group = group.id
            tab.properties = [Self.text: Self.text]
            changes.put(tab, in: session)
            changes.put(
                NavigationHistory(url: tab.url, title: tab.title).encoded(),
                for: TabStateKey(tab: tab.id, name: .navigation, in: session))
            store = try await workspace.store(holding: changes)
        }

        func expectHarmless(_ text: String, _ from: [String]) {
            // The only sequences are the tool's own colors.
            let text = text.replacing(#/\x1B\[(0|1|2|31)m/#, with: "")
            let found = Set(text.unicodeScalars).intersection(Self.characters).subtracting(["\n"])
            let numbers = found.map { String($0.value, radix: 16) }
            expect(found.isEmpty, "\(from.map { $0.visible.prefix(60) }): \(numbers)")
        }

        func expectHarmless(_ arguments: [String]) throws {
            for outcome in [
                try Tool.run(arguments), try PseudoTerminal.run(arguments, columns: 100),
            ] {
                expectHarmless(outcome.output, arguments)
                expectHarmless(outcome.messages, arguments)
            }
        }

        @Test(
            "What a store has is shown, and harmless",
            arguments: ["text", "json", "json-lines"])
        func store(format: String) throws {
            for arguments in [["list"], ["show", "\(session)", "--states"], ["digest"], ["check"]] {
                try expectHarmless(arguments + ["--storage", store, "--format", format])
            }
            let list = try Tool.run(["list", "--storage", store, "--format", "json"]).json()
            expect(list.elements.first?["title"], is: .text(Self.text))
        }

        @Test func anExportOnATerminalIsHarmless() throws {
            let outcome = try PseudoTerminal.run(
                ["export", "-", "--storage", store], columns: 80)
            expectHarmless(outcome.output, ["export"])
            let whole = try Tool.run(["export", "-", "--storage", store])
            expect(try outcome.json() == whole.json())
        }

        @Test("So is a list", arguments: ["bookmarks", "markdown", "html"])
        func listsOnATerminal(format: String) throws {
            let arguments = ["export", "-", "--as", format, "--storage", store]
            let outcome = try PseudoTerminal.run(arguments, columns: 80).expectSuccess(
                isSilent: true)
            // Both characters are an end of a line, which stays.
            expectHarmless(outcome.replacing("\r\n", with: "\n"), arguments)
            expect(outcome.contains("https://e.org/"))
            // Neither has JSON's escapes but where it had them before.
            let whole = try Tool.run(arguments).output.visibleLines
            let time = /"exportedAt":[0-9]+|As of [^.]+/
            expect(outcome.replacing(time, with: ""), is: whole.replacing(time, with: ""))
        }

        @Test func whatIsNoTextIsNotShown() throws {
            try PseudoTerminal.run(
                ["export", "-", "--as", "firefox", "--storage", store], columns: 80
            ).expectRefusal("'firefox' is no text for a terminal; name a file", status: 64)
        }

        @Test func whatTheUserWritesIsHarmlessInErrors() throws {
            let path = workspace.file("none") + Self.text.replacing("/", with: "-").suffix(80)
            for arguments in [
                [Self.text], ["list", Self.text], ["show", Self.text],
                ["list", "--storage", Self.text],
                ["list", "--storage", "sqlite:" + Self.text], ["list", "--option", Self.text],
                ["list", "--config", Self.text], ["list", "--format", Self.text],
                ["import", path, "--storage", store], ["import", ".", "--as", Self.text],
                ["export", path + "/no", "--storage", store],
                ["explain", "--storage", store, "--option", Self.text + "=1"],
                ["migrate", "--from", Self.text, "--to", Self.text],
                ["list", "--storage", "directory:" + path],
            ] {
                try expectHarmless(arguments)
            }
        }

        @Test("So are the other programs")
        func others() throws {
            let text = Self.text
            let script = workspace.file("script")
            let lines = ["tabs", "windows", "state 1", "closed", "visited", "open \(text)", text]
            try FileSystem.replace(script, with: [UInt8](lines.joined(separator: "\n").utf8))
            let page = workspace.file("page\u{1B}[1m.txt")
            try FileSystem.replace(page, with: [UInt8](Self.text.utf8))
            for line in [
                "$DEMOBROWSER --storage $STORE --script $SCRIPT --keep-going",
                "printf 'open file:%s\\ntabs\\n' \"$PAGE\" | $DEMOBROWSER --storage $STORE",
                "$DEMOBROWSER \"$TEXT\"", "$DEMOBROWSER --script \"$TEXT\"",
                "$STORAGECHECK \"$TEXT\"", "$STORAGECHECK --storage \"$TEXT\"",
                "$STORAGECHECK --baseline \"$TEXT\"", "$STORAGECHECK --group \"$TEXT\"",
                "$STORAGEBENCH \"$TEXT\"", "$STORAGEBENCH --storage \"$TEXT\"",
                "$STORAGEBENCH --folder \"$TEXT\"", "$STORAGEBENCH report \"$TEXT\"",
                "$STORAGEBENCH compare \"$TEXT\" \"$TEXT\"",
            ] {
                let outcome = try Shell.run(
                    line, ["STORE": store, "SCRIPT": script, "TEXT": text, "PAGE": page])
                expectHarmless(outcome.output, [line])
                expectHarmless(outcome.messages, [line])
                expect(!(outcome.output + outcome.messages).isEmpty, "\(line)")
            }
        }
    }
#endif
