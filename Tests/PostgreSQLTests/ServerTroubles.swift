#if PostgreSQL
    import Foundation
    @testable import PostgreSQLBackend
    import StorageConformance
    import Synchronization

    /// Brings the server that the tests were started with into trouble.
    enum ServerTroubles {
        private static let folder = ProcessInfo.processInfo.environment["POSTGRESQL_TEST_FOLDER"]
        private static let records = "browser_sessions.records"
        private static var user: String { TestServer.parameters["user"] ?? "" }
        private static let trigger = Mutex<Trigger?>(nil)

        /// All of them; without those that need the script of the server if that is not here.
        static var all: MediumTroubles {
            var kinds = Set(MediumTrouble.allCases)
            if !OwnServer.isPossible || folder == nil { kinds.subtract([.restarted, .stopped]) }
            return MediumTroubles(kinds, begin: begin, end: end)
        }

        @Sendable private static func begin(_ trouble: MediumTrouble, _ location: String) throws {
            switch trouble {
            case .restarted: try OwnServer.run(["restart", folder ?? "", "immediate"])
            case .stopped: try OwnServer.run(["halt", folder ?? "", "immediate"])
            case .readOnly:
                try TestServer.run("ALTER ROLE \(user) SET default_transaction_read_only = on")
                try endConnections()
            case .outOfSpace:
                let name = TestServer.name(of: location)
                let new = try Trigger(of: name, "RAISE EXCEPTION USING ERRCODE = '53100'")
                trigger.withLock { $0 = new }
            case .outOfConnections:
                try TestServer.run("ALTER ROLE \(user) CONNECTION LIMIT 0")
                try endConnections()
            case .loginRefused:
                try TestServer.run("ALTER ROLE \(user) NOLOGIN")
                try endConnections()
            case .rightsRevoked:
                try TestServer.run("REVOKE INSERT, UPDATE ON \(records) FROM \(user)")
            case .keepsLess: try TestServer.set("full_page_writes", to: "off")
            case .newerFormat:
                try TestServer.run("UPDATE browser_sessions.format SET version = version + 1")
            }
        }

        @Sendable private static func end(_ trouble: MediumTrouble, _ location: String) throws {
            switch trouble {
            case .restarted: break
            case .stopped: try OwnServer.run(["restart", folder ?? ""])
            case .readOnly:
                try TestServer.run("ALTER ROLE \(user) RESET default_transaction_read_only")
                try endConnections()
            case .outOfSpace:
                trigger.withLock {
                    $0?.drop()
                    $0 = nil
                }
            case .outOfConnections:
                try TestServer.run("ALTER ROLE \(user) CONNECTION LIMIT -1")
            case .loginRefused: try TestServer.run("ALTER ROLE \(user) LOGIN")
            case .rightsRevoked:
                try TestServer.run("GRANT INSERT, UPDATE ON \(records) TO \(user)")
            case .keepsLess: try TestServer.set("full_page_writes", to: "on")
            case .newerFormat:
                try TestServer.run("UPDATE browser_sessions.format SET version = version - 1")
            }
        }

        private static func endConnections() throws { try TestServer.endConnections(of: user) }
    }
#endif
