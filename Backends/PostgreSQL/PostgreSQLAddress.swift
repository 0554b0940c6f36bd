#if PostgreSQL
    internal import BrowserSessions
    internal import CPostgreSQL
    import Foundation
    internal import StorageEngines

    /// The location of a profile: what libpq connects to, and the profile's name there.
    struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The parameters for libpq, by its own keywords; contains secrets.
        let parameters: [String: String]
        let profile: String
        /// The location without secrets.
        let description: String
        /// Omits the parameters, so that no dump shows a secret.
        var customMirror: Mirror { Mirror(self, children: ["location": description]) }

        static let defaultProfile = "default"
        /// In bytes; well below what fits into a page of an index.
        static let maximumProfileBytes = 512

        /// The parameters of libpq that a configuration may set. All others come from libpq's
        /// environment and files.
        private static let passedOn = [
            ("service", "a section of the service file, which can hold all the rest"),
            ("passfile", "the file with passwords; ~/.pgpass without it"),
            (
                "sslmode",
                "how TLS is used: disable … verify-full; require without it if the host is not this machine"
            ),
            ("sslrootcert", "the certificates that the server's is checked against"),
            ("sslcert", "the client's certificate"),
            ("sslkey", "the key of the client's certificate"),
            ("sslcrl", "certificates that were called back"),
            ("channel_binding", "whether the login is bound to the TLS connection"),
            ("gssencmode", "whether Kerberos encrypts the connection"),
            ("target_session_attrs", "which of several hosts is taken; read-write without it"),
            (
                "tcp_user_timeout",
                "milliseconds until unconfirmed bytes end the connection"
            ),
        ]

        private static let timeout = StorageOption(
            "timeout", kind: .integer(1...3600), default: .integer(30),
            summary: "seconds that a call may take before its connection is given up")

        /// Returns the environment with the timeout of a configuration, if it has one.
        static func environment(
            of configuration: StorageConfiguration, from environment: StoreEnvironment
        ) -> StoreEnvironment {
            var environment = environment
            if case .integer(let seconds)? = configuration.options[timeout.name] {
                environment.timeout = .seconds(seconds)
            }
            return environment
        }

        static let options: [StorageOption] =
            [
                StorageOption(
                    "password", kind: .text, default: .text(""), isSecret: true,
                    summary: "the password; a service file, ~/.pgpass or PGPASSWORD keep it better"),
                timeout,
            ] + passedOn.map { StorageOption($0, kind: .text, default: .text(""), summary: $1) }

        /// Reads a location: `//user@host:port,host/database/profile`.
        init(_ configuration: StorageConfiguration) throws(StorageError) {
            try Self.requireUnambiguous(configuration.location)
            var (server, path) = Self.split(configuration.location)
            let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let database = parts.first ?? ""
            var given: [String: String] = [:]
            for (name, value) in configuration.options {
                guard case .text(let text) = value, !text.isEmpty,
                    name == "password" || Self.passedOn.contains(where: { $0.0 == name })
                else { continue }
                given[name] = text
            }
            server = "postgresql:\(server)/\(database)"
            let parsed = try Self.parse(server)
            guard parsed["dbname"] != nil || given["service"] != nil else {
                throw Self.wrong("names no database: write postgresql://HOST/DATABASE/PROFILE")
            }
            let ports = (parsed["port"] ?? "").split(separator: ",")
            guard ports.allSatisfy({ UInt16($0).map { $0 > 0 } == true }) else {
                throw Self.wrong("names a port that is no number from 1 to 65535")
            }
            let profile =
                parts.count < 2 || parts[1].isEmpty ? Self.defaultProfile : String(parts[1])
            guard let name = profile.removingPercentEncoding, !name.utf8.contains(0),
                name.utf8.count <= Self.maximumProfileBytes
            else {
                throw Self.wrong(
                    "names a profile that is no text of at most \(Self.maximumProfileBytes) bytes")
            }
            self.profile = name
            let own = ["application_name": "browser-sessions", "client_encoding": "UTF8"]
            parameters = ["target_session_attrs": "read-write"].merging(parsed) { $1 }
                .merging(given) { $1 }.merging(own) { $1 }
            let user = parsed["user"].map { $0 + "@" } ?? ""
            description = "//\(user)\(Self.hosts(parsed))/\(parsed["dbname"] ?? "")/\(name)"
        }

        /// Returns a warning for a location that contains a secret; `nil` for others.
        static func warning(of configuration: StorageConfiguration) -> String? {
            guard let address = try? PostgreSQLAddress(configuration),
                address.parameters["password"] != nil
            else { return nil }
            return """
                a server with a password that was given here, where others may see it; a service file, \
                ~/.pgpass or PGPASSWORD keep it better
                """
        }

        /// Throws if a password may continue after its apparent end: a part of it would then be
        /// taken for a host or a database, and would be shown.
        private static func requireUnambiguous(_ location: String) throws(StorageError) {
            let bytes = Array(location.utf8)
            let start = bytes.starts(with: "//".utf8) ? 2 : 0
            guard let at = bytes.lastIndex(of: UInt8(ascii: "@")),
                let colon = bytes.dropFirst(start).firstIndex(of: UInt8(ascii: ":")), colon < at,
                start == 0 || bytes[start..<at].contains(where: { "/?#@".utf8.contains($0) })
            else { return }
            // host:port/database/name@home has no such end: a database follows where the password
            // would be.
            let parts = bytes[(colon + 1)..<at].split(separator: UInt8(ascii: "/"))
            let isPort = parts.first.flatMap { UInt16(String(decoding: $0, as: UTF8.self)) } != nil
            let isPath = parts.count > 2 && !bytes[at...].contains(UInt8(ascii: "/"))
            let isPlain = !bytes[colon..<at].contains { "?#@".utf8.contains($0) }
            if start > 0, isPort, isPath, isPlain { return }
            throw wrong(
                """
                does not tell where a password in it ends: write //USER:PASSWORD@HOST/DATABASE/PROFILE, with \
                %2F for '/', %3F for '?', %23 for '#' and %40 for '@' in each of them
                """)
        }

        /// Returns the part that names a server, and the path after it.
        private static func split(_ location: String) -> (server: String, path: Substring) {
            guard location.hasPrefix("//") else { return ("//", location.drop { $0 == "/" }) }
            let rest = location.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            return ("//" + rest[..<end], rest[end...].dropFirst())
        }

        private static func hosts(_ parsed: [String: String]) -> String {
            let hosts = (parsed["host"] ?? "").split(
                separator: ",", omittingEmptySubsequences: false)
            let ports = (parsed["port"] ?? "").split(
                separator: ",", omittingEmptySubsequences: false)
            return hosts.enumerated().map { number, host in
                let port = ports.count == 1 ? ports[0] : number < ports.count ? ports[number] : ""
                return port.isEmpty ? String(host) : "\(host):\(port)"
            }.joined(separator: ",")
        }

        /// Parses a URL with libpq.
        private static func parse(_ url: String) throws(StorageError) -> [String: String] {
            var message: UnsafeMutablePointer<CChar>?
            let options = PQconninfoParse(url, &message)
            defer {
                PQconninfoFree(options)
                PQfreemem(message)
            }
            // libpq's own message repeats the URL.
            guard let option = options else {
                throw wrong(
                    "is no URL of libpq: write postgresql://USER@HOST:PORT/DATABASE/PROFILE")
            }
            return values(of: option)
        }

        /// Returns the values of a libpq list.
        static func values(of options: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String]
        {
            guard var option = options else { return [:] }
            var found: [String: String] = [:]
            while let keyword = option.pointee.keyword {
                if let value = option.pointee.val {
                    found[String(cString: keyword)] = String(cString: value)
                }
                option = option.successor()
            }
            return found
        }

        private static func wrong(_ what: String) -> StorageError {
            StorageError(.invalidConfiguration, "the location \(what)")
        }
    }
#endif
