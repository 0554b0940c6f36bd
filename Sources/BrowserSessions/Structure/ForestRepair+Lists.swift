extension NodeEdge {
    /// What follows a node: first its members, then its branches.
    fileprivate static let inOrder = [NodeEdge.member, .branch]
}

extension ForestRepair {
    /// Returns the elements in their order, with their depths.
    ///
    /// - Parameter isElsewhere: whether an identifier is that of a node in another session.
    mutating func run(isElsewhere: (NodeID) -> Bool = { _ in false }) -> [(
        element: Int, depth: Int
    )] {
        renameDoubles()
        findParents(isElsewhere)
        cutCycles()
        link()
        lift()
        if !hasParts { removeUnneeded() }
        return finish()
    }

    // MARK: Lifting

    private var top: Int { elements.count }

    private func list(_ parent: Int) -> Int { parent < 0 ? top : parent }

    /// How an element is below its parent: everything that is no branch is a member.
    private func edge(_ element: Int) -> NodeEdge {
        parents[element] >= 0 && elements.edge(element) == .branch ? .branch : .member
    }

    /// Links the children of each node in their order; those that lost their parent come last.
    mutating func link() {
        lists = SiblingLists(count: elements.count)
        let order = (0..<elements.count).sorted { one, other in
            let (left, right) = (elements.zone(one).rank, elements.zone(other).rank)
            if left != right { return left < right }
            let (isMoved, other_) = (moved.contains(one), moved.contains(other))
            return isMoved == other_ ? elements.precedes(one, other) : other_
        }
        for element in order.reversed() {
            lists.prepend(element, to: list(parents[element]), edge(element))
        }
    }

    private enum Step {
        case visit(Int)
        case goOn(behind: Int)
    }

    /// Lifts what is too deep, or below a node that does not have such children, to the nearest node
    /// above that may have it, behind the child that it came from.
    mutating func lift() {
        var depths = [Int](repeating: 0, count: elements.count)
        var stack: [Step] = []
        func push(_ element: Int) { if element >= 0 { stack.append(.visit(element)) } }
        push(lists.first(of: top, .member))
        while let step = stack.popLast() {
            switch step {
            case .visit(let element):
                depths[element] = parents[element] < 0 ? 0 : depths[parents[element]] + 1
                let isDeepest = depths[element] >= Self.maximumDepth
                for edge in NodeEdge.inOrder.reversed() {
                    liftChildren(of: element, edge, all: isDeepest)
                }
                // What is lifted comes behind a node on the way here, and is visited after it.
                stack.append(.goOn(behind: element))
                for edge in NodeEdge.inOrder.reversed() { push(lists.first(of: element, edge)) }
            case .goOn(let element): push(lists.next[element])
            }
        }
    }

    private mutating func liftChildren(of parent: Int, _ edge: NodeEdge, all: Bool) {
        let children = lists.children(of: parent, edge)
        let kept = all ? [] : children.filter { mayHold(parent, $0, edge) }
        guard kept.count < children.count else { return }
        lists.setChildren(kept, of: parent, edge)
        let stay = Set(kept)
        for child in children.reversed() where !stay.contains(child) {
            lift(child, from: parent, all ? .tooDeepLifted : .wrongParentLifted)
        }
    }

    /// Takes a node that is in no list any more to the nearest node above its parent that may have it.
    private mutating func lift(_ child: Int, from parent: Int, _ kind: SessionRepair.Kind) {
        var sibling = parent
        while parents[sibling] >= 0, !mayHold(parents[sibling], child, edge(sibling)) {
            sibling = parents[sibling]
        }
        let old = elements.parent(child)
        let new = parents[sibling]
        parents[child] = new
        elements.setParent(
            new < 0 ? nil : elements.id(new), new < 0 ? .member : elements.edge(sibling), of: child)
        elements.setZone(elements.zone(sibling), of: child)
        lists.insert(child, behind: sibling)
        moved.insert(child)
        note(kind, child, from: old)
    }

    /// Whether a node may have such a child.
    private func mayHold(_ parent: Int, _ child: Int, _ edge: NodeEdge) -> Bool {
        if elements.kind(child)?.isRoot == true { return false }
        guard let kind = elements.kind(parent) else { return edge == .branch }
        if edge == .branch { return kind.hasBranches }
        if kind == .split { return elements.kind(child).map { $0 == .split } ?? true }
        return kind.hasMembers
    }
}

// MARK: - Splits and groups

extension ForestRepair {
    /// Replaces splits of one pane by the pane, and leaves out splits and plain groups without members.
    /// From the bottom up, because one may leave another one empty.
    mutating func removeUnneeded() {
        let parents = order().map(\.element).reversed() + [top]
        for parent in parents {
            for edge in NodeEdge.inOrder where lists.first(of: parent, edge) >= 0 {
                let children = lists.children(of: parent, edge)
                guard children.contains(where: isUnneeded) else { continue }
                let heirs = children.flatMap { isUnneeded($0) ? replacement(of: $0) : [$0] }
                let left = heirs.filter { parent == top || mayHold(parent, $0, edge) }
                lists.setChildren(left, of: parent, edge)
                guard left.count < heirs.count else { continue }
                // Branches of an empty split may be groups, and are not inside the split around it.
                let stay = Set(left)
                for heir in heirs.reversed() where !stay.contains(heir) {
                    lift(heir, from: parent, .wrongParentLifted)
                }
            }
        }
    }

    private func isUnneeded(_ element: Int) -> Bool {
        guard let kind = elements.kind(element), kind == .split || kind == .group else {
            return false
        }
        let first = lists.first(of: element, .member)
        if first < 0 {
            return kind == .split || elements.nodes[element - elements.tabs.count].style.isEmpty
        }
        return kind == .split && lists.next[first] < 0
    }

    /// Takes a node out; returns what comes into its place: its only pane, or else its branches.
    private mutating func replacement(of element: Int) -> [Int] {
        let pane = lists.first(of: element, .member)
        let branches = lists.children(of: element, .branch)
        var heirs = branches
        if pane >= 0 {
            heirs = [pane]
            for branch in branches {
                parents[branch] = pane
                elements.setParent(elements.id(pane), .branch, of: branch)
                moved.insert(branch)
            }
            lists.setChildren(lists.children(of: pane, .branch) + branches, of: pane, .branch)
        }
        for heir in heirs {
            parents[heir] = parents[element]
            elements.setParent(elements.parent(element), elements.edge(element), of: heir)
            elements.setZone(elements.zone(element), of: heir)
            moved.insert(heir)
        }
        if heirs.count == 1 { elements.setPlace(elements.place(element), of: heirs[0]) }
        let isSplit = elements.kind(element) == .split
        note(pane >= 0 ? .splitOfOneRemoved : isSplit ? .splitRemoved : .emptyGroupRemoved, element)
        return heirs
    }

    // MARK: Order

    /// Returns all elements that are left, depth first.
    private func order() -> [(element: Int, depth: Int)] {
        var order: [(element: Int, depth: Int)] = []
        order.reserveCapacity(elements.count)
        var stack: [(element: Int, depth: Int)] = []
        func push(_ element: Int, _ depth: Int) {
            if element >= 0 { stack.append((element, depth)) }
        }
        push(lists.first(of: top, .member), 0)
        while let (element, depth) = stack.popLast() {
            order.append((element, depth))
            push(lists.next[element], depth)
            for edge in NodeEdge.inOrder.reversed() {
                push(lists.first(of: element, edge), depth + 1)
            }
        }
        return order
    }

    mutating func finish() -> [(element: Int, depth: Int)] {
        let order = order()
        for parent in [top] + order.map(\.element) {
            for edge in NodeEdge.inOrder {
                let children = lists.children(of: parent, edge)
                guard !children.isEmpty else { continue }
                place(children)
                if parent < top, elements.kind(parent) == .split, edge == .member {
                    resetWeights(of: children)
                }
            }
        }
        return order
    }

    private mutating func resetWeights(of panes: [Int]) {
        for pane in panes where elements.weight(pane) < 0 {
            elements.setWeight(0, of: pane)
            note(.weightReset, pane)
        }
    }

    /// Gives siblings that moved places in their order, and those with the place of another where one
    /// moved to. Otherwise siblings may have one place, and their ids say the order.
    mutating func place(_ siblings: [Int]) {
        guard !moved.isEmpty, siblings.contains(where: moved.contains), !isInOrder(siblings) else {
            return
        }
        // The place that each one must be below: that of the next sibling that stays, in its zone.
        var limits = [OrderKey?](repeating: nil, count: siblings.count)
        for position in siblings.indices.dropLast().reversed() {
            let (this, next) = (siblings[position], siblings[position + 1])
            guard elements.zone(this) == elements.zone(next) else { continue }
            limits[position] =
                moved.contains(next) ? limits[position + 1] : elements.place(next)
        }
        for (position, element) in siblings.enumerated() {
            let before = position > 0 ? siblings[position - 1] : nil
            let lower = before.flatMap {
                elements.zone($0) == elements.zone(element) ? elements.place($0) : nil
            }
            let own = elements.place(element)
            let isAbove = lower.map { $0 < own } ?? true
            let isBelow = !moved.contains(element) || limits[position].map { own < $0 } ?? true
            guard !isAbove || !isBelow else { continue }
            if !moved.contains(element) { note(.placeRenewed, element) }
            let place = OrderKey.between(lower, and: limits[position])
            guard place.length <= OrderKey.maximumLength else { return renumber(siblings) }
            elements.setPlace(place, of: element)
        }
    }

    /// Gives all siblings new places, because too many come to one spot for places that can be saved.
    private mutating func renumber(_ siblings: [Int]) {
        for (place, element) in zip(OrderKey.evenlySpaced(count: siblings.count), siblings) {
            elements.setPlace(place, of: element)
        }
    }

    private func isInOrder(_ siblings: [Int]) -> Bool {
        zip(siblings, siblings.dropFirst()).allSatisfy { one, other in
            elements.zone(one) != elements.zone(other)
                || elements.place(one) < elements.place(other)
        }
    }
}
