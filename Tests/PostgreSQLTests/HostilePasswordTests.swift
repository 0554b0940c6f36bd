#if PostgreSQL
    import BackendSelection
    import BrowserSessions
    @testable import PostgreSQLBackend
    import SessionSamples
    import TestSupport
    import Expectations

    /// An unescaped password is in no error, explanation or description, whatever it is made of.
    @Suite("hostile passwords", .timeLimit(.minutes(10)))
    struct HostilePasswordTests {
        private static let canary = "CANARY"
        private static let pieces = [
            "@", "/", ":", "?", "#", "%", "&", "=", "[", "]", "{", "}", "\\", "'", "\"", " ", ",",
            "\u{301}", "é", "1", "12/", "\u{1B}", "//", "%40", "~", ".", "+", ";", "a=b",
        ]

        private static func password(_ generator: inout SeededGenerator) -> String {
            var text = ""
            for _ in 0..<generator.integer(in: 1...4) {
                if generator.chance(2, in: 3) { text += generator.pick(pieces) }
                text += generator.chance(1, in: 3) ? generator.pick(pieces) + canary : canary
                if generator.chance(1, in: 2) { text += generator.pick(pieces) }
            }
            return text
        }

        /// The ways in which an address is stated.
        private func selections(of address: String) -> [SelectionRequest] {
            let url = "postgresql:\(address)"
            let ways: [(String?, [String: String])] = [
                (url, [:]), (nil, ["SESSION_STORAGE_URL": url]),
                (
                    nil,
                    [
                        "SESSION_STORAGE_BACKEND": "postgresql",
                        "SESSION_STORAGE_LOCATION": address,
                    ]
                ),
            ]
            return ways.map { storage, environment in
                SelectionRequest(
                    storage: storage, environment: environment, workingDirectory: "/base")
            }
        }

        /// All that says something of an address, without a server that answers.
        private func texts(of address: String) async throws -> [String] {
            let configuration = StorageConfiguration(location: address)
            let backend = StorageBackend.postgreSQL(
                1, .seconds(600), nil, in: .patient(.milliseconds(1)))
            var texts: [String] = []
            func add(_ value: Any) {
                texts += ["\(value)", String(reflecting: value)]
                dump(value, to: &texts[texts.count - 1])
            }
            texts.append(contentsOf: backend.meanings(configuration).values)
            do throws(StorageError) { add(try PostgreSQLAddress(configuration)) } catch {
                add(error)
                // So nothing is asked of a server, and all ways to it say the same.
                for call in 0..<3 {
                    do throws(StorageError) {
                        switch call {
                        case 0: _ = try await backend.open(configuration)
                        case 1: try await backend.prepare(configuration)
                        default: _ = try await backend.remove(configuration)
                        }
                    } catch { add(error) }
                }
            }
            for selection in selections(of: address) {
                switch Result(catching: {
                    try selection.resolve(registry: BackendRegistry([backend]))
                }) {
                case .success(let selection):
                    add(selection)
                    texts += selection.explain() + [selection.url, selection.location]
                case .failure(let error): add(error)
                }
            }
            return texts
        }

        @Test func noneIsShown() async throws {
            var generator = SeededGenerator(seed: 36)
            for _ in 0..<TestRun.amount(400, nightly: 20_000) {
                let password = Self.password(&generator)
                for address in [
                    "//user:\(password)@db.example.org/sessions/work",
                    "//user:\(password)@db.example.org:5432/sessions/work?sslmode=require",
                    "user:\(password)@db.example.org/sessions/work", "//:\(password)@/sessions",
                ] {
                    for text in try await texts(of: address) {
                        expect(!text.contains(Self.canary), "\(address): \(text)")
                    }
                }
            }
        }

        @Test(arguments: ["p@ss/word", "p/ss@word", "12/34", "p?ss", "p#ss", "@", "a@b"])
        func theErrorSaysToEscape(password: String) async throws {
            let error = await failure { () throws(StorageError) in
                _ = try PostgreSQLAddress(
                    StorageConfiguration(location: "//user:\(password)@host/sessions/work"))
            }
            expect(error?.code, is: .invalidConfiguration)
            expect(error?.message.contains("%40"), is: true)
        }

        @Test(arguments: [
            ("//user:p%40ss%2Fword@host/sessions/work", "//user@host/sessions/work"),
            ("//host:5432/sessions/work@home", "//host:5432/sessions/work@home"),
            ("//user@host/sessions/work@home", "//user@host/sessions/work@home"),
        ])
        func whatIsEscapedIsTaken(location: String, shown: String) throws {
            let address = try PostgreSQLAddress(StorageConfiguration(location: location))
            expect(address.description, is: shown)
        }
    }
#endif
