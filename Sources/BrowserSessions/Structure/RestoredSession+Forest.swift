extension RestoredSession {
    /// Puts tabs and nodes in their order, depth first, and repairs what breaks a rule of the forest.
    package mutating func repairForest(isElsewhere: (NodeID) -> Bool = { _ in false }) {
        if orderSoundForest() { return }
        var repair = ForestRepair(tabs: tabs, nodes: nodes)
        let order = repair.run(isElsewhere: isElsewhere)
        (tabs, nodes) = ([], [])
        for (element, _) in order {
            switch repair.content(of: element) {
            case .tab(let tab): tabs.append(tab)
            case .node(let node): nodes.append(node)
            }
        }
        repairs += repair.repairs
    }

    /// Puts tabs and nodes in their order; changes nothing and returns `false` if they break a rule.
    private mutating func orderSoundForest() -> Bool {
        let forest = tabs.withUnsafeBufferPointer { tabs in
            nodes.withUnsafeBufferPointer { SoundForest(tabs, $0)?.order }
        }
        guard let forest else { return false }
        var order: (tabs: [Int], nodes: [Int]) = ([], [])
        order.tabs.reserveCapacity(tabs.count)
        for element in forest {
            let number = Int(element)
            if number < tabs.count {
                order.tabs.append(number)
            } else {
                order.nodes.append(number - tabs.count)
            }
        }
        tabs.reorder(order.tabs)
        if !order.nodes.isOrdered { nodes = order.nodes.map { nodes[$0] } }
        return true
    }
}

extension [Int] {
    fileprivate var isOrdered: Bool { indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] } }
}

extension [TabMetadata] {
    /// Moves each tab once, so that each number of the order has the tab that had the number there.
    ///
    /// - Parameter order: each index of the array once.
    package mutating func reorder(_ order: [Int]) {
        guard !order.isOrdered else { return }
        withUnsafeMutableBufferPointer { tabs in
            if let first = tabs.baseAddress { Self.move(first, order) }
        }
    }

    private static func move(_ tabs: UnsafeMutablePointer<TabMetadata>, _ order: [Int]) {
        var order = order
        for start in order.indices where order[start] != start {
            let displaced = (tabs + start).move()
            var free = start
            while order[free] != start {
                let next = order[free]
                (tabs + free).moveInitialize(from: tabs + next, count: 1)
                order[free] = free
                free = next
            }
            (tabs + free).initialize(to: displaced)
            order[free] = free
        }
    }
}
