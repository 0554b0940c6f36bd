#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import Testing

    /// The server that the tests were started with; see `.ci/postgresql`.
    enum TestServer {
        /// Its database as the owner of the tables has it; `nil` without a server.
        static let url = ProcessInfo.processInfo.environment["POSTGRESQL_TEST_URL"]
        static let isThere = url != nil

        /// What follows the scheme, up to the parameters.
        static var address: String {
            url.map { String($0.prefix { $0 != "?" }.drop { $0 != ":" }.dropFirst()) } ?? ""
        }

        /// Makes the tables, once.
        static let isPrepared: Result<Void, StorageError> = Result {
            () throws(StorageError) in
            try StorageBackend.postgreSQL.prepareBlocking(StorageConfiguration(location: address))
        }

        /// A profile that nobody has yet.
        static func profile() throws -> String {
            try isPrepared.get()
            return "\(address)/\(UUID().uuidString)"
        }

        /// Statements of the superuser, or of whoever the location names; the first column of the rows.
        @discardableResult
        static func run(_ text: String, at location: String? = nil) throws -> [String?] {
            let admin = ProcessInfo.processInfo.environment["POSTGRESQL_TEST_ADMIN_URL"] ?? ""
            let place = location ?? String(admin.drop { $0 != ":" }.dropFirst())
            let address = try PostgreSQLAddress(StorageConfiguration(location: place))
            let connection = try PostgreSQLConnection(address.parameters, patience: .seconds(20))
            let rows = try connection.run(text)
            return (0..<rows.count).map { rows.text($0, 0) }
        }

        static func name(of location: String) -> String {
            location.split(separator: "/").last.map(String.init) ?? ""
        }

        /// Lets others have a profile although somebody has it, as when the lease of its owner is over.
        static func takeOver(_ location: String) throws {
            try run(
                "UPDATE browser_sessions.profiles SET owner = NULL WHERE profile = '\(name(of: location))'"
            )
        }

        static func remove(_ location: String) throws {
            for table in ["records", "chunks", "profiles"] {
                try run(
                    "DELETE FROM browser_sessions.\(table) WHERE profile = '\(name(of: location))'")
            }
        }
    }
#endif
