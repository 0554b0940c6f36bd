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
        if element < tabs.count {
            tabs[element].id = TabID(id)
        } else {
            nodes[element - tabs.count].id = id
        }
    }

    mutating func setPlace(_ place: OrderKey, of element: Int) {
        if element < tabs.count {
            tabs[element].place = place
        } else {
            nodes[element - tabs.count].place = place
        }
    }

    mutating func setWeight(_ weight: Int32, of element: Int) {
        if element < tabs.count {
            tabs[element].weight = weight
        } else {
            nodes[element - tabs.count].weight = weight
        }
    }

    mutating func setZone(_ zone: NodeZone, of element: Int) {
        if element < tabs.count {
            tabs[element].zone = zone
        } else {
            nodes[element - tabs.count].zone = zone
        }
    }

    mutating func setParent(_ parent: NodeID?, _ edge: NodeEdge, of element: Int) {
        if element < tabs.count {
            (tabs[element].parent, tabs[element].edge) = (parent, edge)
        } else {
            let node = element - tabs.count
            (nodes[node].parent, nodes[node].edge) = (parent, edge)
        }
    }

    /// Returns whether an element comes before another one among the children of one parent.
    func precedes(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (zone(one).rank, zone(other).rank)
        if left != right { return left < right }
        let (place, next) = (place(one), place(other))
        return place != next ? place < next : id(one) < id(other)
    }
}
