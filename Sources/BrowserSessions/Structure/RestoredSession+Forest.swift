extension RestoredSession {
    /// Puts tabs and nodes in their order, depth first, and repairs what breaks a rule of the forest.
    ///
    /// - Parameters:
    ///   - mayHaveDoubles: whether two tabs may have one identifier; not so if it is the key of a record.
    ///   - isElsewhere: whether an identifier is that of a node in another session.
    /// - Returns: the number that each tab had before, since its identifier may be another one now.
    @discardableResult
    package mutating func repairForest(
        mayHaveDoubles: Bool = false, isElsewhere: (NodeID) -> Bool = { _ in false }
    ) -> [Int] {
        if !mayHaveDoubles, let order = orderSoundForest() { return order }
        var repair = ForestRepair(tabs: tabs, nodes: nodes, hasParts: hasParts)
        var order: [Int] = []
        let count = tabs.count
        let elements = repair.run(isElsewhere: isElsewhere)
        (tabs, nodes) = ([], [])
        for (element, _) in elements {
            if element < count { order.append(element) }
            switch repair.content(of: element) {
            case .tab(let tab): tabs.append(tab)
            case .node(let node): nodes.append(node)
            }
        }
        repairs += repair.repairs
        return order
    }

    /// Whether nodes may have too little in them, since what else they had was not kept with them.
    private var hasParts: Bool { id.kind.role == .shelf }

    /// Puts tabs and nodes in their order; changes nothing and returns `nil` if they break a rule.
    private mutating func orderSoundForest() -> [Int]? {
        let forest = tabs.withUnsafeBufferPointer { tabs in
            nodes.withUnsafeBufferPointer { SoundForest(tabs, $0, hasParts: hasParts)?.order }
        }
        guard let forest else { return nil }
        var order: (tabs: [Int], nodes: [Int]) = ([], [])
        order.tabs.reserveCapacity(tabs.count)
        for number in forest {
            if number < tabs.count {
                order.tabs.append(number)
            } else {
                order.nodes.append(number - tabs.count)
            }
        }
        tabs.reorder(order.tabs)
        if !order.nodes.isOrdered { nodes = order.nodes.map { nodes[$0] } }
        return order.tabs
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
