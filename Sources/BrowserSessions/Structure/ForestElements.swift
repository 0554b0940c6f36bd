/// The tabs and nodes of a session by numbers: first the tabs, then the nodes.
struct ForestElements {
    var tabs: [TabMetadata]
    var nodes: [StructureNode]

    var count: Int { tabs.count + nodes.count }

    func id(_ element: Int) -> NodeID {
        element < tabs.count ? NodeID(tabs[element].id) : nodes[element - tabs.count].id
    }

    /// Returns the kind of a node; `nil` for a tab.
    func kind(_ element: Int) -> StructureNode.Kind? {
        element < tabs.count ? nil : nodes[element - tabs.count].kind
    }

    func place(_ element: Int) -> OrderKey {
        element < tabs.count ? tabs[element].place : nodes[element - tabs.count].place
    }

    func zone(_ element: Int) -> NodeZone {
        element < tabs.count ? tabs[element].zone : nodes[element - tabs.count].zone
    }

    func edge(_ element: Int) -> NodeEdge {
        element < tabs.count ? tabs[element].edge : nodes[element - tabs.count].edge
    }

    func parent(_ element: Int) -> NodeID? {
        element < tabs.count ? tabs[element].parent : nodes[element - tabs.count].parent
    }

    func weight(_ element: Int) -> Int32 {
        element < tabs.count ? tabs[element].weight : nodes[element - tabs.count].weight
    }

    mutating func setID(_ id: NodeID, of element: Int) {
        edit(element, tab: { $0.id = TabID(id) }, node: { $0.id = id })
    }

    mutating func setPlace(_ place: OrderKey, of element: Int) {
        edit(element, tab: { $0.place = place }, node: { $0.place = place })
    }

    mutating func setWeight(_ weight: Int32, of element: Int) {
        edit(element, tab: { $0.weight = weight }, node: { $0.weight = weight })
    }

    mutating func setZone(_ zone: NodeZone, of element: Int) {
        edit(element, tab: { $0.zone = zone }, node: { $0.zone = zone })
    }

    mutating func setParent(_ parent: NodeID?, _ edge: NodeEdge, of element: Int) {
        edit(
            element, tab: { ($0.parent, $0.edge) = (parent, edge) },
            node: { ($0.parent, $0.edge) = (parent, edge) })
    }

    private mutating func edit(
        _ element: Int, tab: (inout TabMetadata) -> Void, node: (inout StructureNode) -> Void
    ) {
        if element < tabs.count { tab(&tabs[element]) } else { node(&nodes[element - tabs.count]) }
    }

    /// Returns whether an element comes before another one among the children of one parent.
    func precedes(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (zone(one).rank, zone(other).rank)
        if left != right { return left < right }
        let (place, next) = (place(one), place(other))
        return place != next ? place < next : id(one) < id(other)
    }
}
