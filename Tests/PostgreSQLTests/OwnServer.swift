#if PostgreSQL
    import BrowserSessions
    import ChildProcesses
    import Foundation
    @testable import PostgreSQLBackend
    import TestSupport

    /// A server of a test's own, which may restart it and change its settings; gone with this value.
    final class OwnServer: Sendable {
        /// The superuser and the owner of the tables, as what follows the scheme of a URL.
        let admin: String
        let address: String
        /// The file with the passwords of both; `nil` if the server asks for none.
        let passwordFile: String?
        private let folder: String

        private static let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../.ci/postgresql-server").standardized.path

        static let isPossible =
            TestServer.isThere && FileManager.default.isReadableFile(atPath: script)

        /// Starts it, and returns when it serves.
        init(withPasswords: Bool = false) throws {
            folder = "/tmp/bs-pg-\(UUID().uuidString.prefix(8))"
            try Self.run(["start", folder, withPasswords ? "scram" : "trust"])
            let text = try String(contentsOfFile: "\(folder)/env", encoding: .utf8)
            func value(_ name: String) -> String? {
                text.split(separator: "\n").first { $0.hasPrefix("export \(name)='") }
                    .map { String($0.split(separator: "'")[1]) }
            }
            admin = String((value("POSTGRESQL_TEST_ADMIN_URL") ?? "").drop { $0 != "/" })
            address = String((value("POSTGRESQL_TEST_URL") ?? "").drop { $0 != "/" })
            passwordFile = value("PGPASSFILE")
        }

        deinit { try? Self.run(["stop", folder]) }

        enum Stop: String, CaseIterable { case fast, immediate }

        /// Returns when it serves again.
        func restart(_ stop: Stop) throws { try Self.run(["restart", folder, stop.rawValue]) }

        /// A profile, with all that a login needs.
        func configuration(
            _ profile: String = UUID().uuidString, keeping durability: String = "powerLoss"
        ) -> StorageConfiguration {
            var options: [String: OptionValue] = ["durability": .text(durability)]
            if let passwordFile { options["passfile"] = .text(passwordFile) }
            return StorageConfiguration(location: "\(address)/\(profile)", options: options)
        }

        /// Starts a standby that confirms what it has received.
        func standby(in folder: TemporaryFolder) throws -> RunningProgram {
            let programs = ProcessInfo.processInfo.environment["POSTGRESQL_TEST_BIN"] ?? ""
            return try RunningProgram(
                [
                    "\(programs)/pg_receivewal", "--synchronous", "-D", folder.path, "-d",
                    "postgresql:\(admin)",
                ])
        }

        /// Sets something for all, from now on.
        func set(_ setting: String, to value: String) throws {
            try TestServer.set(setting, to: value, at: admin)
        }

        static func run(_ arguments: [String]) throws {
            let status = try Script.run(script, arguments, isQuiet: true)
            guard status == 0 else { throw Failed(arguments: arguments, status: status) }
        }

        private struct Failed: Error {
            var arguments: [String]
            var status: Int32
        }
    }
#endif
