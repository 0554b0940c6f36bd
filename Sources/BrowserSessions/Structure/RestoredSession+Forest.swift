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
        let count = tabs.count
        tabs.reorder(forest.lazy.filter { $0 < count }.map(Int.init))
        nodes.reorder(forest.lazy.filter { $0 >= count }.map { Int($0) - count })
        return true
    }
}

extension Array {
    /// Moves each element once, so that each number of the order has the element that had the number there.
    ///
    /// - Parameter order: each index of the array once.
    package mutating func reorder(_ order: [Int]) {
        guard zip(order, order.dropFirst()).contains(where: >) else { return }
        withUnsafeMutableBufferPointer { elements in
            if let first = elements.baseAddress { Self.move(first, order) }
        }
    }

    private static func move(_ elements: UnsafeMutablePointer<Element>, _ order: [Int]) {
        var order = order
        for start in order.indices where order[start] != start {
            let displaced = (elements + start).move()
            var free = start
            while order[free] != start {
                let next = order[free]
                (elements + free).moveInitialize(from: elements + next, count: 1)
                order[free] = free
                free = next
            }
            (elements + free).initialize(to: displaced)
            order[free] = free
        }
    }
}
