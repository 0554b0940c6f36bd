#if FaultyBackends
    import BrowserSessions

    /// Unfolds a node that is put for the third time.
    struct UnfoldsThirdMove: StorageDecorator {
        let base: any SessionStorage
        private let puts = FaultMemory([NodeID: Int]())

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let altered = puts.use { puts in
                changes.changes.map { change in
                    guard case .put(.node(var node, let session)) = change else { return change }
                    puts[node.id, default: 0] += 1
                    if puts[node.id] == 3 { node.isCollapsed = false }
                    return .put(node, in: session)
                }
            }
            return try await base.save(changes.replacing(altered), durability: durability)
        }
    }

    /// Takes the names of nodes when the store is closed.
    struct UnnamesNodesAtClose: StorageDecorator {
        let base: any SessionStorage

        func close() async throws(StorageError) {
            for session in (try? await base.sessions()) ?? [] {
                let found = try await base.restore(session)
                for var node in found?.nodes ?? [] where found?.repairs.isEmpty == true {
                    node.name = ""
                    _ = try await base.save(SessionChanges(.put(node, in: session)))
                }
            }
            try await base.close()
        }
    }
#endif
