extension RestoredSession {
    /// Puts tabs and nodes in their order, depth first, and repairs what breaks a rule of the forest.
    package mutating func repairForest() {
        var repair = ForestRepair(tabs: tabs, nodes: nodes)
        let order = repair.run()
        (tabs, nodes) = ([], [])
        for (element, _) in order {
            switch repair.content(of: element) {
            case .tab(let tab): tabs.append(tab)
            case .node(let node): nodes.append(node)
            }
        }
        repairs += repair.repairs
    }
}
