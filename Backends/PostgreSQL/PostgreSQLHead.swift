#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines
    import Synchronization

    /// The last change of a profile that one opening knows about.
    final class PostgreSQLHead: Sendable {
        /// The name of the number, for errors.
        static let revisionName = "a revision of the profile"

        private struct State {
            var revision = StoredNumber.zero
            var commit: [UInt8] = []
            /// The token of the next change, which has no answer yet.
            var pending: [UInt8]?
        }

        private let state = Mutex(State())

        func begin(at revision: StoredNumber, _ commit: [UInt8]) {
            state.withLock { $0 = State(revision: revision, commit: commit) }
        }

        /// Throws `fenced` if the server lacks what it acknowledged: it is a standby or a restored
        /// backup, and this opening's knowledge does not match it.
        func resume(at revision: StoredNumber, _ commit: [UInt8]) throws {
            try state.withLock { state in
                let isSame = revision == state.revision && commit == state.commit
                let isNext = revision == state.revision.adding(1) && commit == state.pending
                guard isSame || isNext else {
                    throw Self.wentBack(to: revision, from: state.revision)
                }
                state = State(revision: revision, commit: commit)
            }
        }

        /// Returns the error of a change that does not follow the server's revision.
        func isNot(at revision: StoredNumber) -> StorageError {
            state.withLock { Self.wentBack(to: revision, from: $0.revision) }
        }

        private static func wentBack(to found: StoredNumber, from known: StoredNumber)
            -> StorageError
        {
            StorageError(
                .fenced,
                """
                the server is at revision \(found) of the profile and has acknowledged revision \(known): \
                another server without the last changes took its place, or a backup did; open the profile \
                again
                """)
        }

        /// The revision that a change would follow.
        var revision: Int64 { state.withLock { Int64($0.revision.value) } }

        /// Begins a change and returns the revision that it follows. Throws `tooLarge` if no
        /// revision can follow it.
        func next(_ commit: [UInt8]) throws -> Int64 {
            try state.withLock { state in
                _ = try state.revision.next(of: "the last change of the profile")
                state.pending = commit
                return Int64(state.revision.value)
            }
        }

        /// Notes that the change was applied.
        func advance() throws {
            try state.withLock { state in
                state = State(
                    revision: try state.revision.next(of: "the last change of the profile"),
                    commit: state.pending ?? [])
            }
        }
    }
#endif
