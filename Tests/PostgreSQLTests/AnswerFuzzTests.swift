#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import SessionSamples
    import StorageEngines
    import Synchronization
    import TestSupport
    import Expectations

    /// Servers with rows that hold anything: no number of theirs ends the process, and what cannot be is no record.
    @Suite("answers", .timeLimit(.minutes(10)))
    struct AnswerFuzzTests {
        /// Answers as a server with no profile would, but for now and then.
        private final class Liar: Sendable {
            private let generator: Mutex<SeededGenerator>

            init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

            private func chance(_ among: Int) -> Bool {
                generator.withLock { $0.chance(1, in: among) }
            }

            private func pick<Element>(_ list: [Element]) -> Element {
                list[generator.withLock { $0.integer(in: 0...list.count - 1) }]
            }

            func answer(_ name: String, _ isText: Bool) -> [UInt8] {

                if isText { return Fake.rows(text(name)) }
                var rows = honest(name)
                if chance(4) { rows = lie(rows) }
                return Fake.rows(rows)
            }

            private func text(_ query: String) -> [[[UInt8]?]] {
                guard query.contains("full_page_writes") else { return [] }
                return [[Array("1".utf8), nil]]
            }

            private func honest(_ name: String) -> [[[UInt8]?]] {
                let number = PostgreSQLValue.number(7)
                let id = [UInt8](repeating: 1, count: 16)
                switch name {
                case "take": return [[number, id]]
                case "take_again": return [[number, nil, id]]
                case "present": return [[number, Array("1".utf8), nil]]
                case "ownership": return [[[1], [0], number]]
                case "token": return [[id]]
                case "holder": return [[id, id, id, number, id, number]]
                case "value", "scan", "chunks": return []
                default: return [[PostgreSQLValue.number(1)]]
                }
            }

            private func lie(_ rows: [[[UInt8]?]]) -> [[[UInt8]?]] {
                let numbers: [Int64] = [
                    -1, 0, 1, 2, 1 << 31, 1 << 55, (1 << 56) - 1, 1 << 56, .max - 1, .max, .min,
                ]
                let values: [[UInt8]?] =
                    numbers.map { PostgreSQLValue.number($0) } + [
                        nil, [], [1], [255, 255], [UInt8](repeating: 255, count: 9),
                        [UInt8](repeating: 0, count: 16), Array("home".utf8),
                    ]
                if chance(6) { return [] }
                if chance(6) { return rows + rows }
                let width = chance(6) ? pick([1, 2, 3, 4]) : max(1, rows.first?.count ?? 4)
                return [
                    (0..<width).map { column in
                        chance(2) ? pick(values) : rows.first?.dropFirst(column).first ?? nil
                    }
                ]
            }
        }

        @Test func openings() async throws {
            let possible: Set<StorageError.Code> = [
                .corrupted, .unavailable, .fenced, .locked, .incompatibleFormat, .tooLarge,
                .notFound,
                .unsupported,
            ]
            var opened = 0
            for seed in 0..<TestRun.amount(150, nightly: 5000) {
                let liar = Liar(seed: UInt64(seed))
                let server = try FakeServer { $0.serve([], liar.answer) }
                let backend = StorageBackend.postgreSQL(
                    2, .seconds(600), nil, in: .patient(.seconds(5)))
                var configuration = StorageConfiguration(
                    location: "//user@127.0.0.1:\(server.port)/sessions/p")
                if seed % 5 == 4 { configuration.options["access"] = .text("readOnly") }
                do throws(StorageError) {
                    let store = try await backend.open(configuration)
                    opened += 1
                    try await store.save(tabs: 3)
                    try await store.close()
                } catch {
                    expect(possible.contains(error.code), "\(seed): \(error)")
                }
            }
            // So they get far enough.
            expect(opened > 10)
        }

        /// Each lie alone, where a number is calculated with.
        @Test(arguments: [Int64.max, Int64.max - 1, 1 << 56, -1, .min])
        func numbers(number: Int64) async throws {
            for lie in ["take", "present", "ownership"] {
                let server = try FakeServer { line in
                    line.serve { name, isText in
                        let bytes = PostgreSQLValue.number(number)
                        let honest = PostgreSQLValue.number(7)
                        let id = [UInt8](repeating: 1, count: 16)
                        if isText {
                            guard name.contains("full_page_writes") else { return Fake.rows([]) }
                            return Fake.rows([[Array("1".utf8), nil]])
                        }
                        let value = name == lie ? bytes : honest
                        switch name {
                        case "take": return Fake.rows([[value, id]])
                        case "present": return Fake.rows([[value, Array("1".utf8), nil]])
                        case "ownership": return Fake.rows([[[1], [0], value]])
                        default: return Fake.rows([])
                        }
                    }
                }
                let backend = StorageBackend.postgreSQL(
                    2, .seconds(600), nil, in: .patient(.seconds(5)))
                let location = "//user@127.0.0.1:\(server.port)/sessions/p"
                let error = await backend.refusal(of: StorageConfiguration(location: location))
                expect(error?.code, is: .corrupted, "\(lie): \(error as Any)")
            }
        }

        /// Keys come in their order, under their prefix, and once.
        @Test(
            arguments: [
                [[1], [1]], [[2], [1]], [[], [1]], [[1, 0], [1]], [nil, [1]],
            ] as [[[UInt8]?]])
        func keysThatWereNotAskedFor(keys: [[UInt8]?]) throws {
            let server = try FakeServer { line in
                line.serve { name, isText in
                    let number = PostgreSQLValue.numbers([0]).suffix(4)
                    let rows = keys.map { [$0, [1], Array(number), PostgreSQLValue.number(1)] }
                    return isText || name != "scan" ? Fake.rows([]) : Fake.rows(rows)
                }
            }
            let connection = try PostgreSQLConnection(
                ["host": "127.0.0.1", "port": "\(server.port)", "user": "u", "dbname": "d"],
                timeout: .seconds(20))
            let reading = PostgreSQLReading { statement, _, values, bound in
                try connection.run(statement, values, within: bound)
            }
            let error = expect(throws: StorageError.self) {
                try reading.scan(.metadata, of: "p", prefix: [1]) { _, _ in }
            }
            expect(error?.code, is: .corrupted)
        }
    }
#endif
