/// The children of each node in their order, as chains of numbers.
struct SiblingLists {
    /// The first member of each element, and the first branch; those of the top come last.
    private var firsts: (members: [Int], branches: [Int]) = ([], [])
    /// The next sibling of each element; -1 if there is none.
    private(set) var next: [Int] = []

    init() {}

    init(count: Int) {
        let none = [Int](repeating: -1, count: count + 1)
        firsts = (none, none)
        next = none
    }

    func first(of parent: Int, _ edge: NodeEdge) -> Int {
        edge == .branch ? firsts.branches[parent] : firsts.members[parent]
    }

    mutating func setFirst(_ child: Int, of parent: Int, _ edge: NodeEdge) {
        if edge == .branch {
            firsts.branches[parent] = child
        } else {
            firsts.members[parent] = child
        }
    }

    mutating func prepend(_ child: Int, to parent: Int, _ edge: NodeEdge) {
        next[child] = first(of: parent, edge)
        setFirst(child, of: parent, edge)
    }

    mutating func insert(_ child: Int, behind other: Int) {
        next[child] = next[other]
        next[other] = child
    }

    func children(of parent: Int, _ edge: NodeEdge) -> [Int] {
        var children: [Int] = []
        var child = first(of: parent, edge)
        while child >= 0 {
            children.append(child)
            child = next[child]
        }
        return children
    }

    mutating func setChildren(_ children: [Int], of parent: Int, _ edge: NodeEdge) {
        setFirst(children.first ?? -1, of: parent, edge)
        for (one, other) in zip(children, children.dropFirst()) { next[one] = other }
        if let last = children.last { next[last] = -1 }
    }
}
