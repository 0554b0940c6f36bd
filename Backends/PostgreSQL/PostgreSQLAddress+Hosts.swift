#if PostgreSQL
    internal import BrowserSessions
    import Dispatch

    extension PostgreSQLAddress {
        /// Connects to the first of several hosts that is what was asked for. Each gets its share of the time, so
        /// that one that does not answer does not hide the others.
        ///
        /// - Parameters:
        ///   - first: the number of the host that is tried first.
        ///   - patience: how long that may take, all hosts together.
        /// - Returns: the connection and the number of its host.
        func connect(first: Int = 0, patience: Duration) throws -> (PostgreSQLConnection, host: Int)
        {
            let hosts = self.hosts
            let end = DispatchTime.now() + .nanoseconds(patience.nanoseconds)
            var failure = PostgreSQLFailure(state: "", isStatementOnly: true)
            for turn in hosts.indices {
                let host = (first + turn) % hosts.count
                let now = DispatchTime.now().uptimeNanoseconds
                let rest = Int(
                    max(0, Int64(clamping: end.uptimeNanoseconds) - Int64(clamping: now)))
                do {
                    let share = Duration.nanoseconds(rest / (hosts.count - turn))
                    return (try PostgreSQLConnection(hosts[host], patience: share), host)
                } catch let found as PostgreSQLFailure {
                    // That a host is a standby, or away, says less than what another one refuses.
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
                    // One port is that of all hosts.
                    own[name] = String(values[number < values.count ? number : values.count - 1])
                }
                return own
            }
        }
    }
#endif
