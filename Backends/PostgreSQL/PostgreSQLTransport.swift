#if PostgreSQL
    internal import CPostgreSQL

    /// How a connection is protected on its way.
    ///
    /// libpq alone takes TLS if the server offers it, and sends a password in clear to anyone in between
    /// who offers none.
    enum PostgreSQLTransport {
        /// libpq from here on takes a list of the logins that it may take part in.
        private static let versionWithLogins: Int32 = 160_000
        private static let modesInClear: Set<String> = ["disable", "allow", "prefer"]

        /// The parameters with what protects a password.
        ///
        /// A host that is not this machine is asked for TLS, unless these parameters, or libpq's environment and
        /// files, want none. Where it may go without, only logins are done that do not show the password, as
        /// far as libpq can do so.
        static func secured(_ parameters: [String: String]) -> [String: String] {
            secured(parameters, resolved: resolved(parameters), version: PQlibVersion())
        }

        /// - Parameters:
        ///   - resolved: the parameters with what libpq takes from elsewhere.
        ///   - version: of libpq.
        static func secured(
            _ parameters: [String: String], resolved: [String: String], version: Int32
        ) -> [String: String] {
            guard !isLocal(resolved) else { return parameters }
            var secured = parameters
            if parameters["sslmode"] == nil, ["allow", "prefer"].contains(resolved["sslmode"]) {
                secured["sslmode"] = "require"
            }
            let mode = secured["sslmode"] ?? resolved["sslmode"] ?? ""
            let isLimited = resolved["require_auth"]?.isEmpty == false
            if modesInClear.contains(mode), version >= versionWithLogins, !isLimited {
                secured["require_auth"] = "!password,!md5"
            }
            return secured
        }

        /// Whether all hosts are this machine: a socket of the file system, or a loopback address.
        static func isLocal(_ parameters: [String: String]) -> Bool {
            let places = ["host", "hostaddr"].flatMap { name in
                (parameters[name] ?? "").split(separator: ",")
            }
            return places.allSatisfy(isLocal)
        }

        private static func isLocal(_ host: Substring) -> Bool {
            if host.hasPrefix("/") || host.hasPrefix("@") { return true }
            if host.lowercased() == "localhost" || host == "::1" { return true }
            let parts = host.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        }

        /// What libpq would connect with, its environment and service file included; empty for settings that
        /// it does not take.
        private static func resolved(_ parameters: [String: String]) -> [String: String] {
            withoutConnecting(parameters) {
                let handle = PQconnectStartParams($0, $1, 0)
                defer { PQfinish(handle) }
                let options = PQconninfo(handle)
                defer { PQconninfoFree(options) }
                return PostgreSQLAddress.values(of: options)
            }
        }

        /// Whether libpq takes the settings.
        static func areTaken(_ parameters: [String: String]) -> Bool {
            withoutConnecting(parameters) {
                PQpingParams($0, $1, 0) != PQPING_NO_ATTEMPT
            }
        }

        /// Asks libpq with a port that there is not, so that it connects to nothing, and with a password, so that
        /// it looks for none.
        private static func withoutConnecting<Success>(
            _ parameters: [String: String],
            _ work: PostgreSQLConnection.KeywordReader<Success>
        ) -> Success {
            let asked = parameters.merging(["port": "0", "password": "none"]) { $1 }
            return PostgreSQLConnection.withKeywords(asked, work)
        }
    }
#endif
