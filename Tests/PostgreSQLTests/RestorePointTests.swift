#if PostgreSQL
    import BrowserSessions
    import TestSupport
    import Foundation
    import PostgreSQLBackend
    import Expectations

    extension ServerTests {
        /// Groups and restore points in the tables, with states of several chunks.
        @Suite("nodes and restore points")
        struct RestorePointTests {
            private let profile = UUID().uuidString

            /// A window of three tabs with the last two in a group.
            private func window(group name: String) -> SessionChanges {
                var changes = SessionChanges()
                changes.put(SessionAttributes(title: "Window"), for: Samples.id)
                let group = StructureNode.group(id: Self.group, name: name)
                for (number, place) in OrderKey.evenlySpaced(count: 3).enumerated() {
                    var tab = TabMetadata(
                        id: Samples.tab(number), place: place, url: "https://example.org/")
                    if number > 0 { tab.parent = group.id }
                    changes.put(tab, in: Samples.id)
                }
                changes.put(group, in: Samples.id)
                return changes
            }

            private static let group = NodeID(high: 3, low: 1)

            /// Returns what the view shows of the profile.
            private func overview(_ columns: String) throws -> String? {
                try TestServer.run(
                    """
                    SELECT concat_ws(' ', \(columns)) FROM browser_sessions.overview
                    WHERE profile = '\(profile)'
                    """)[0]
            }

            @Test func theOverviewCountsRecordsByTheirKinds() async throws {
                let backend = StorageBackend.postgreSQL(incognitoKeys: HostKeys(survives: .memory))
                try await save("Read", Samples.blob(1, bytes: 300_000), with: backend)
                let store = try await backend.open(at: profile)
                // The point now keeps a version of each, which is no other group, tab or state.
                var later = window(group: "Later")
                later.put(Samples.blob(2, bytes: 10), for: Samples.state(1))
                try await store.save(later)
                var secret = SessionChanges()
                let hidden = SessionID(window: WindowID(high: 1, low: 9), kind: .incognito)
                secret.put(SessionAttributes(title: "Secret"), for: hidden)
                secret.put(StructureNode.group(name: "Secret"), in: hidden)
                try await store.save(secret)
                expect(try overview("sessions, tabs, nodes, states, restore_points") == "1 3 1 1 1")
                expect(try overview("incognito_records > 0") == "t")
                try await store.close()
                try await backend.remove(configuration)
            }

            @Test func aPointKeepsTheChunksOfAStateUntilItIsReleased() async throws {
                let backend = StorageBackend.postgreSQL
                let (old, new) = (Samples.blob(1, bytes: 300_000), Samples.blob(2, bytes: 400_000))
                try await save("Read", old, with: backend)
                let store = try await backend.open(at: profile)
                var later = window(group: "Later")
                later.put(new, for: Samples.state(1))
                try await store.save(later)
                expect(try chunks() == ["3", "4"])
                let point = try require(try await store.restorePoints().first)
                expect(try await store.state(of: Samples.state(1), at: .point(point.id)) == old)
                expect(try await store.state(of: Samples.state(1)) == new)
                let then = try await store.restore(Samples.id, at: .point(point.id))
                expect(then?.nodes.map(\.name), is: ["Read"])
                expect(try await store.restore(Samples.id)?.nodes.map(\.name) == ["Later"])
                try await store.close()
                let next = try await backend.open(at: profile)
                expect(try chunks() == ["3", "4"])
                try await next.releaseRestorePoint(point.id)
                expect(try chunks() == ["4"])
                expect(try await next.state(of: Samples.state(1)) == new)
                try await next.close()
                try await backend.remove(configuration)
            }

            private var configuration: StorageConfiguration {
                get throws {
                    StorageConfiguration(location: try TestServer.location(profile: profile))
                }
            }

            /// Saves the window with a state of its second tab, and closes the profile.
            private func save(_ group: String, _ state: [UInt8], with backend: StorageBackend)
                async throws
            {
                let store = try await backend.open(at: profile)
                var changes = window(group: group)
                changes.put(state, for: Samples.state(1))
                try await store.save(changes)
                try await store.close()
            }

            /// Returns how many chunks each blob has, the fewest first.
            private func chunks() throws -> [String?] {
                try TestServer.run(
                    """
                    SELECT count(*) FROM browser_sessions.chunks WHERE profile = '\(profile)'
                    GROUP BY key ORDER BY 1
                    """)
            }
        }
    }
#endif
