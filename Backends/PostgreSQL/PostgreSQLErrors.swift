#if PostgreSQL
    internal import BrowserSessions
    internal import CPostgreSQL

    /// What may be reported of a failure of a server or libpq: never a row, a statement, a password
    /// or a connection string.
    struct PostgreSQLFailure: Error {
        /// Five characters; empty if the server reported nothing.
        let state: String
        /// Whether the server ended only the statement, so that its effects are certainly undone.
        let isStatementOnly: Bool

        /// What libpq found itself; `nil` if the server reported the failure.
        let finding: Finding?

        enum Finding: Sendable {
            /// Keywords or values that libpq does not accept.
            case settings
            /// No TLS connection that suits both ends.
            case encryption
            /// An answer over its limit, or an invalid one.
            case nonsense
        }

        init(state: String, isStatementOnly: Bool, finding: Finding? = nil) {
            (self.state, self.isStatementOnly, self.finding) = (state, isStatementOnly, finding)
        }

        init(of result: OpaquePointer?) {
            func field(_ code: UInt8) -> String {
                PQresultErrorField(result, Int32(code)).map { String(cString: $0) } ?? ""
            }
            finding = nil
            let state = field(UInt8(ascii: "C"))
            self.state = Self.isState(state) ? state : ""
            isStatementOnly =
                field(UInt8(ascii: "V")) == "ERROR" && !["40003", "08007"].contains(state)
        }

        /// Returns whether a text is an SQLSTATE; nothing else that a server sends in its place is
        /// repeated.
        static func isState(_ text: some StringProtocol) -> Bool {
            text.utf8.count == 5
                && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
        }

        private var kind: Substring { state.prefix(2) }

        /// - Parameter changes: whether the call would have changed something.
        func error(_ what: String, changes: Bool) -> StorageError {
            let (code, advice) = meaning
            let suffix = state.isEmpty ? "" : " [SQLSTATE \(state)]"
            return StorageError(
                code, "\(what): \(advice)\(suffix)",
                effect: changes && !isStatementOnly ? .indeterminate : .notApplied, underlying: self
            )
        }

        /// Whether the server has no space for another connection.
        var isFull: Bool { state == "53300" }

        /// SQLSTATE is described in appendix A of PostgreSQL's documentation.
        private var meaning: (StorageError.Code, String) {
            switch finding {
            case .settings:
                return (
                    .invalidConfiguration,
                    "libpq does not take these settings; look at host, port, service, sslmode and the files"
                )
            case .encryption:
                return (
                    .permissionDenied,
                    """
                    no TLS connection suits both ends; look at sslmode and at the certificates. A host \
                    that is not this machine is asked for TLS unless sslmode says otherwise
                    """
                )
            case .nonsense:
                return (
                    .unavailable,
                    "it sent what no answer can have, and the connection was ended; look at what serves there"
                )
            case nil: return meaningOfState
            }
        }

        private var meaningOfState: (StorageError.Code, String) {
            switch state {
            case "": (.unavailable, "the connection to the server was lost, or there was none")
            case "01000":
                (
                    .unavailable,
                    "the server warned that standbys may not have the change; its log says more"
                )
            case "25006":
                (
                    .unavailable,
                    "the server only reads now; a primary may be found among several hosts"
                )
            case "53100": (.outOfSpace, "the server's disk is full; free space there")
            case "53300": (.unavailable, "the server has no connection left; raise max_connections")
            case "57014":
                (.unavailable, "the server ended the statement; look at statement_timeout")
            case "42501":
                (.permissionDenied, "the user may not do that; grant what the documentation lists")
            case "3D000": (.notFound, "there is no such database; make it with createdb")
            case "3F000", "42P01": (.notFound, PostgreSQLSchema.missing)
            case "22003":
                (
                    .corrupted,
                    "a number in the tables is one that no program of ours wrote; nothing was changed"
                )
            case "26000", "42P05": (.unsupported, PostgreSQLSettings.pooled)
            case "42703", "42883", "42P07":
                (
                    .incompatibleFormat,
                    "the schema is not the one that this version made; nothing was changed"
                )
            case "XX001", "XX002":
                (.corrupted, "the server says that its data is damaged; look with pg_amcheck")
            default: byKind
            }
        }

        private var byKind: (StorageError.Code, String) {
            switch kind {
            case "08", "57", "40", "55", "58":
                (.unavailable, "the server could not do it now; try again later")
            case "28":
                (
                    .permissionDenied,
                    "the server refuses the login; look at user, password and pg_hba.conf"
                )
            case "53":
                (.unavailable, "the server lacks memory or another resource; try again later")
            default: (.failed, "the server refused; its log says more")
            }
        }
    }
#endif
