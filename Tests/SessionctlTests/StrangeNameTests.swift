#if os(Linux)
    import BrowserSessions
    import Foundation
    import StorageEngines
    import TestSupport
    import Expectations

    /// Files with names that are no text, in stores and on the command line: none is taken for another.
    struct StrangeNameTests {
        private let workspace = Workspace()

        private func filled(_ backend: String, in workspace: Workspace, _ folders: [String]) throws
            -> String
        {
            let store = try workspace.imported(backend)
            for folder in folders { try RawNames.plant(in: workspace.file("profile/\(folder)")) }
            return store
        }

        @Test("What a removal leaves is named", arguments: Workspace.triedBackends)
        func removal(backend: String) throws {
            let store = try filled(backend, in: workspace, ["", "regular"])
            let outcome = try Tool.run(["remove", "--yes", "--storage", store])
            expect(outcome.status, is: 0, "\(outcome.messages)")
            for name in [#"'caf\xE9'"#, "'caf\u{E9}'", "'cafe\u{301}'", #"'\xFF'"#] {
                let found = outcome.messages.utf8.firstRange(of: name.utf8)
                expect(found != nil, "\(outcome.messages)")
            }
            expect(RawNames.list(workspace.file("profile"))?.count, is: 4)
        }

        @Test(
            "Nothing is left where nothing is said to be left", arguments: Workspace.triedBackends)
        func purge(backend: String) throws {
            for words in [["repair", "--purge-quarantine"], ["erase-removed"]] {
                let workspace = Workspace()
                let store = try filled(backend, in: workspace, ["regular"])
                let item = workspace.file("profile/quarantine/20260101T000000Z-00001-damaged")
                try FileSystem.makeDirectories(item)
                try RawNames.plant(in: item)
                try RawNames.plant(in: workspace.file("profile/quarantine"))
                try Tool.run(words + ["--storage", store]).expectSuccess()
                expect(RawNames.list(workspace.file("profile/quarantine")), is: [])
                let files = RawNames.list(workspace.file("profile/regular"))
                expect(files?.contains(RawNames.latin), is: (words[0] == "repair"))
            }
        }

        @Test(
            "A path that is no text is refused, and nothing is made",
            arguments: [
                "$SESSIONCTL init --storage sqlite:$FOLDER/$NAME", "$SESSIONCTL init $FOLDER/$NAME",
                "$SESSIONCTL export $FOLDER/$NAME $FOLDER/profile",
                "$SESSIONCTL remove --yes $FOLDER/$NAME",
                "$STORAGECHECK init MyBackend --path $FOLDER/$NAME",
                "$STORAGEBENCH --folder $FOLDER/$NAME", "$DEMOBROWSER tour --folder $FOLDER/$NAME",
            ])
        func arguments(line: String) throws {
            _ = try workspace.imported("sqlite")
            // What the name would be repaired into.
            try FileSystem.replace(workspace.file("caf\u{FFFD}"), with: [1])
            let outcome = try Shell.run(
                #"NAME=$(printf 'caf\351'); "# + line, ["FOLDER": workspace.path])
            expect((2...3).contains(outcome.status), "\(outcome.messages)")
            expect(outcome.messages.contains(#"caf\xE9', is not UTF-8"#), "\(outcome.messages)")
            expect(
                RawNames.list(workspace.path),
                is: [Array("caf\u{FFFD}".utf8), Array("profile".utf8)])
        }

        @Test("The working directory, the home and TMPDIR may have any name")
        func surroundings() throws {
            let line = #"""
                set -e; export NAME=$(printf 'caf\351'); mkdir $FOLDER/$NAME; cd $FOLDER/$NAME
                echo '{"backend": "sqlite", "location": "fromFile"}' > storage.json
                $SESSIONCTL init --storage sqlite:relative
                $SESSIONCTL init --config storage.json
                HOME=$FOLDER/$NAME $SESSIONCTL init --storage 'directory:~/home'
                SESSION_STORAGE_BACKEND=leveldb SESSION_STORAGE_LOCATION=$FOLDER/$NAME/named \
                    $SESSIONCTL init
                mkdir temporary; TMPDIR=$FOLDER/$NAME/temporary $SESSIONCTL list relative
                $SESSIONCTL migrate --from sqlite:relative --to sqlite:moved
                """#
            let outcome = try Shell.run(line, ["FOLDER": workspace.path]).expectSuccess()
            expect(outcome.contains(#"caf\xE9/relative"#), "\(outcome)")
            expect(RawNames.list(workspace.path), is: [RawNames.latin])
            let place = Array(workspace.file("").utf8) + RawNames.latin
            let names = [
                "fromFile", "home", "moved", "named", "relative", "storage.json", "temporary",
            ]
            expect(RawNames.list(place), is: names.map { Array($0.utf8) })
            expect(RawNames.list(place + Array("/temporary".utf8)), is: [])
        }

        @Test("Programs that cannot work in such a place say so, and make nothing")
        func work() throws {
            for line in ["$STORAGECHECK init MyBackend", "$STORAGEBENCH --quick --folder bench"] {
                let outcome = try Shell.run(
                    #"NAME=$(printf 'caf\351'); mkdir $FOLDER/$NAME; cd $FOLDER/$NAME; "# + line,
                    ["FOLDER": workspace.path])
                expect((2...3).contains(outcome.status), "\(outcome.messages)")
                expect(outcome.messages.contains(#"caf\xE9' is not UTF-8"#), "\(outcome.messages)")
                expect(RawNames.list(workspace.path), is: [RawNames.latin])
            }
        }
    }
#endif
