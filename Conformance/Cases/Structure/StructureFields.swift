import BrowserSessions

extension ConformanceSuite {
    /// Nodes, field by field.
    @SuiteBuilder static var structureFields: [SuiteEntry] {
        SuiteEntry(
            "STRUCTURE-1", .must,
            """
            Every field of groups, splits, spaces, views and containers comes back as saved, also when \
            the store is opened again.
            """
        )
        .tried("every field set") { context in
            try await context.reopeningIfPossible { store in
                _ = try await store.save(FullNodes.session.changes)
            } check: { store in
                try await FullNodes.session.check(in: store, "every field of a node set")
            }
        }
        .tried("every field set, in the incognito partition") { context in
            try await context.withNewStore { store in
                var session = FullNodes.session
                session.id.kind = .incognito
                try await session.saveAndCheck(in: store, "every field of a private node set")
            }
        }
        .tried("the same nodes in both partitions") { context in
            try await context.withNewStore { store in
                let (one, other) = (PlainForest.session(), PlainForest.session(.incognito))
                _ = try await store.save(one.changes)
                _ = try await store.save(other.changes)
                try await one.check(in: store, "the regular nodes")
                try await other.check(in: store, "the private nodes")
                try await store.deleteIncognito()
                try await one.check(in: store, "the regular nodes without the private ones")
            }
        }
        .catches("loses-icons-of-nodes", says: "node 0 differs in icon") {
            $0.puttingNodes { $0.icon = "" }
        }
        .catches("forgets-why-nodes-went", says: "node 0 differs in closedFrom") {
            $0.puttingNodes { $0.closedFrom?.reason = "" }
        }
        .catches("forgets-where-nodes-were", says: "node 0 differs in closedFrom") {
            $0.puttingNodes { $0.closedFrom?.place = nil }
        }
        .catches("has-no-private-nodes", says: "a private node set: the number of nodes") {
            $0.restoring { if $0.id.partition == .incognito { $0.nodes = [] } }
        }
        SuiteEntry(
            "STRUCTURE-2", .must,
            """
            Nodes of kinds, edges, zones and axes that this version does not know come back as saved, and \
            so do the fields of a newer version.
            """
        )
        .tried("a newer shelf, desk, edge, zone and axis") { context in
            let session = try FullNodes.unknown()
            try await context.reopeningIfPossible { store in
                _ = try await store.save(session.changes)
            } check: { store in
                try await session.check(in: store, "nodes of a newer version")
            }
        }
        .catches("knows-five-kinds", says: "node 0 differs in kind") {
            let kinds: [StructureNode.Kind] = [.group, .split, .space, .view, .container]
            return $0.puttingNodes {
                if !kinds.contains($0.kind) { ($0.kind, $0.style) = (.group, "plain") }
            }
        }
        .catches("loses-unknown-fields-of-nodes", says: "node 0 differs in unknownFields") {
            $0.puttingNodes { old in
                var node = StructureNode(
                    id: old.id, old.kind, place: old.place, parent: old.parent, edge: old.edge,
                    name: old.name, color: old.color)
                (node.zone, node.axis, node.style) = (old.zone, old.axis, old.style)
                node.closedFrom = old.closedFrom
                old = node
            }
        }
    }
}
