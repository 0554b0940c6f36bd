#if PostgreSQL
    internal import CPostgreSQL

    /// The protection of a connection on its way.
    ///
    /// By default, libpq uses TLS only if the server offers it, and sends a password in clear to
    /// anyone in between who offers none.
    enum PostgreSQLTransport {
        /// The first version of libpq with a list of the logins that it may take part in.
        private static let versionWithLogins: Int32 = 160_000
        private static let modesInClear: Set<String> = ["disable", "allow", "prefer"]

        /// Returns the parameters with those that protect a password.
        ///
        /// A host that is not this machine is asked for TLS, unless these parameters, or libpq's
        /// environment and files, want none. Without TLS, only logins that do not reveal the
        /// password are allowed, as far as libpq can do that.
        static func secured(_ parameters: [String: String]) -> [String: String] {
            secured(parameters, resolved: resolved(parameters), version: PQlibVersion())
        }

        /// - Parameters:
        ///   - resolved: the parameters with what libpq takes from elsewhere.
        ///   - version: the version of libpq.
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

        /// Returns whether all hosts are this machine: a socket of the file system, or a loopback
        /// address.
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

        /// Returns the parameters with which libpq would connect, including its environment and
        /// service file; empty for settings that it does not accept.
        private static func resolved(_ parameters: [String: String]) -> [String: String] {
            withoutConnecting(parameters) {
                let handle = PQconnectStartParams($0, $1, 0)
                defer { PQfinish(handle) }
                let options = PQconninfo(handle)
                defer { PQconninfoFree(options) }
                return PostgreSQLAddress.values(of: options)
            }
        }

        /// Returns whether libpq accepts the settings.
        static func areTaken(_ parameters: [String: String]) -> Bool {
            withoutConnecting(parameters) {
                PQpingParams($0, $1, 0) != PQPING_NO_ATTEMPT
            }
        }

        /// Asks libpq with an invalid port, so that it connects to nothing, and with a password, so
        /// that it searches for none.
        private static func withoutConnecting<Success>(
            _ parameters: [String: String],
            _ work: PostgreSQLConnection.KeywordReader<Success>
        ) -> Success {
            let asked = parameters.merging(["port": "0", "password": "none"]) { $1 }
            return PostgreSQLConnection.withKeywords(asked, work)
        }
    }
#endif
