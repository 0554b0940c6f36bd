#if PostgreSQL
    internal import BrowserSessions
    import Dispatch

    extension PostgreSQLAddress {
        /// Connects to the first of several hosts that is of the requested kind. Each host gets its
        /// share of the time, so that one that does not answer does not hide the others.
        ///
        /// - Parameters:
        ///   - first: the number of the host to try first.
        ///   - timeout: the time limit for all hosts together.
        /// - Returns: the connection and the number of its host.
        func connect(first: Int = 0, timeout: Duration) throws -> (PostgreSQLConnection, host: Int)
        {
            let hosts = self.hosts
            let end = DispatchTime.now() + .nanoseconds(timeout.nanoseconds)
            var failure = PostgreSQLFailure(state: "", isStatementOnly: true)
            for turn in hosts.indices {
                let host = (first + turn) % hosts.count
                let now = DispatchTime.now().uptimeNanoseconds
                let rest = Int(
                    max(0, Int64(clamping: end.uptimeNanoseconds) - Int64(clamping: now)))
                do {
                    let share = Duration.nanoseconds(rest / (hosts.count - turn))
                    return (try PostgreSQLConnection(hosts[host], timeout: share), host)
                } catch let found as PostgreSQLFailure {
                    // A refusal by another host says more than that a host is a standby or does not
                    // answer.
                    let isTelling = !["", "25006"].contains(found.state) || found.finding != nil
                    if isTelling || failure.state.isEmpty { failure = found }
                }
            }
            throw failure
        }

        /// The parameters of each host.
        private var hosts: [[String: String]] {
            let lists = ["host", "hostaddr", "port"].compactMap { name in
                parameters[name].map { value in
                    (name, value.split(separator: ",", omittingEmptySubsequences: false))
                }
            }
            let count = lists.map(\.1.count).max() ?? 1
            return (0..<count).map { number in
                var own = parameters
                for (name, values) in lists {
                    // A single port applies to all hosts.
                    own[name] = String(values[number < values.count ? number : values.count - 1])
                }
                return own
            }
        }
    }
#endif
