#if PostgreSQL
    internal import BrowserSessions
    import Dispatch
    import Synchronization

    /// The connections of a server: a limited number, each for one call at a time.
    final class PostgreSQLPool: Sendable {
        private struct State {
            /// Unused connections; the last one was used most recently.
            var idle: [PostgreSQLConnection] = []
            /// The number of all connections, including those that are being made.
            var count = 0
            /// Calls without a connection, in order of arrival.
            var waiting: [DispatchSemaphore] = []

            /// Lets one waiting call check again.
            mutating func wakeNext() {
                if !waiting.isEmpty { waiting.removeFirst().signal() }
            }

            /// - Parameter isFirst: whether the call has not waited before; otherwise it keeps its
            ///   position.
            mutating func wait(isFirst: Bool) -> Turn {
                let semaphore = DispatchSemaphore(value: 0)
                waiting.insert(semaphore, at: isFirst ? waiting.endIndex : 0)
                return .wait(semaphore)
            }
        }

        private enum Turn: Sendable {
            case use(PostgreSQLConnection)
            case make
            case wait(DispatchSemaphore)
        }

        private let most: Int
        private let state = Mutex(State())

        init(_ most: Int) { self.most = most }

        /// Takes a connection, which must be given back; returns `nil` if all were in use for too
        /// long.
        ///
        /// If the server has no space for another one, the call waits for an existing one; if there
        /// are none, it throws the error of `make`.
        func take(until end: DispatchTime, _ make: () throws -> PostgreSQLConnection) throws
            -> PostgreSQLConnection?
        {
            var isFirst = true
            // waits: each turn blocks until a connection was given back or the time has come
            while true {
                var turn = nextTurn(isFirst)
                if case .make = turn {
                    do {
                        return try make()
                    } catch {
                        guard let next = turnAfter(error, isFirst) else { throw error }
                        turn = next
                    }
                }
                if case .use(let connection) = turn { return connection }
                guard case .wait(let semaphore) = turn, wait(for: semaphore, until: end) else {
                    return nil
                }
                isFirst = false
            }
        }

        func giveBack(_ connection: PostgreSQLConnection) {
            let isUsable = connection.isUsable
            state.withLock { state in
                if isUsable {
                    state.idle.append(connection)
                } else {
                    // What ended this one has ended the others too, or they belong to a server that
                    // was replaced.
                    state.count -= 1 + state.idle.count
                    state.idle = []
                }
                state.wakeNext()
            }
        }

        /// Ends unused connections.
        func endIdle() {
            state.withLock { state in
                state.count -= state.idle.count
                state.idle = []
                state.wakeNext()
            }
        }

        private func nextTurn(_ isFirst: Bool) -> Turn {
            state.withLock { state in
                while let connection = state.idle.popLast() {
                    if connection.isUsable, connection.isQuiet { return .use(connection) }
                    state.count -= 1
                }
                guard state.count >= most else {
                    state.count += 1
                    return .make
                }
                return state.wait(isFirst: isFirst)
            }
        }

        /// Returns what a call does that could not make a connection; `nil` if it fails.
        private func turnAfter(_ error: any Error, _ isFirst: Bool) -> Turn? {
            state.withLock { state in
                state.count -= 1
                if (error as? PostgreSQLFailure)?.isFull == true, state.count > 0 {
                    if let connection = state.idle.popLast() { return .use(connection) }
                    return state.wait(isFirst: isFirst)
                }
                state.wakeNext()
                return nil
            }
        }

        private func wait(for semaphore: DispatchSemaphore, until end: DispatchTime) -> Bool {
            // waits: until a connection is given back, or the time has come
            if semaphore.wait(timeout: end) == .success { return true }
            return state.withLock { state in
                let place = state.waiting.firstIndex { $0 === semaphore }
                if let place { state.waiting.remove(at: place) }
                // A call that was woken at this moment has its turn.
                return place == nil
            }
        }
    }
#endif
