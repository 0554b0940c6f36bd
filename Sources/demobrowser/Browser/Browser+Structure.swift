import BrowserModel
import BrowserSessions

extension Browser {
    /// Makes a folder where the first node is, or at the end of the window if there are none.
    func makeFolder(_ name: String, _ numbers: [NodeNumber]) throws {
        let folder = StructureNode.folder(name: name)
        if numbers.isEmpty {
            try window.tabs.create(folder)
        } else {
            let (list, nodes) = try findInOneList(numbers)
            try list.create(folder, of: nodes)
        }
    }

    /// Shows tabs together, where the first of them is.
    func makeSplit(_ numbers: [NodeNumber]) throws {
        let (list, nodes) = try findInOneList(numbers)
        try list.split(nodes)
    }

    /// Returns what moved, and where it is now, as the other moves do.
    func move(_ numbers: [NodeNumber], into folder: FolderNumber) throws -> [String] {
        let (list, nodes) = try findInOneList([.folder(folder)] + numbers)
        try list.move(nodes.dropFirst(), to: .inside(nodes[0]))
        return ["moved \(Self.list(numbers)) into \(folder)"]
    }

    func move(_ numbers: [NodeNumber], below parent: NodeNumber) throws -> [String] {
        let (list, nodes) = try findInOneList([parent] + numbers)
        try list.move(nodes.dropFirst(), to: .below(nodes[0]))
        return ["moved \(Self.list(numbers)) below \(parent)"]
    }

    /// Numbers as a person lists them: `3`, or `n1, 2 and 3`.
    static func list(_ numbers: [some CustomStringConvertible]) -> String {
        let texts = numbers.map(\.description)
        guard texts.count > 1, let last = texts.last else { return texts.joined() }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Moves each node to directly behind what it is in or branches from.
    func takeOut(_ numbers: [NodeNumber]) throws -> [String] {
        let (list, nodes) = try findInOneList(numbers)
        let parents = try zip(numbers, nodes).map { number, node in
            guard let parent = list.ancestors(of: node).first else {
                throw CommandMistake("\(number) is in no folder, and below no tab")
            }
            return parent
        }
        try list.performBatch { list throws(TabListError) in
            for (node, parent) in zip(nodes, parents).reversed() {
                // A split that has lost all panes but one has ended, and the last one is out.
                guard list.ancestors(of: node).first == parent else { continue }
                try list.move(node, to: list.target(behind: parent))
            }
        }
        return ["took \(Self.list(numbers)) out"]
    }

    /// Changes what a folder, group or split is called, or whether it is collapsed.
    func update(_ number: FolderNumber, _ change: (inout StructureNode) -> Void) throws {
        let (list, id) = try find(.folder(number))
        guard var node = list.node(id) else { throw TabListError.unknownNode(id) }
        change(&node)
        try list.update(node)
    }

    func dissolve(_ number: FolderNumber) throws {
        let (list, node) = try find(.folder(number))
        try list.dissolve(node)
    }

    /// Closes tabs, and folders with all that is in them.
    func close(_ numbers: [NodeNumber]) throws {
        let found = try numbers.map { (try find($0), $0.isTab) }
        for list in [window.tabs, incognito?.tabs, profile.windows.library].compactMap(\.self) {
            let chosen = found.filter { $0.0.list === list }
            try list.performBatch { list throws(TabListError) in
                try list.close(chosen.filter(\.1).map { TabID($0.0.id) })
                // A group may have ended with its last tab, or with what it was in.
                for ((_, id), isTab) in chosen where !isTab && list.node(id) != nil {
                    try list.closeAll(in: id)
                }
            }
        }
    }

    /// Pins a tab, or a folder with all that is in it.
    func pin(_ number: NodeNumber, _ isPinned: Bool) throws {
        let (list, node) = try find(number)
        if let tab = list.tab(TabID(node)) {
            if isPinned { try list.pin(tab) } else { try list.unpin(tab) }
        } else {
            try list.move(node, to: isPinned ? .top(.pinned) : .top(.normal, .first))
        }
    }

    /// Returns the node with the user's number, and its list.
    private func find(_ number: NodeNumber) throws(CommandMistake) -> (list: TabList, id: NodeID) {
        switch number {
        case .tab(let tab):
            let found = try find(tab)
            return (found.list, NodeID(found.tab.id))
        case .folder(let folder):
            let list = folder.isIncognito ? incognito?.tabs : window.tabs
            let nodes = (list?.nodes ?? []).filter { $0.kind != .view }
            guard let list, nodes.indices.contains(folder.number - 1) else {
                let count = counted(
                    nodes.count, "folder, group or split", "folders, groups and splits")
                throw CommandMistake("there is no \(folder): the window has \(count), see 'tabs'")
            }
            return (list, nodes[folder.number - 1].id)
        }
    }

    private func findInOneList(
        _ numbers: [NodeNumber]
    ) throws(CommandMistake) -> (list: TabList, nodes: [NodeID]) {
        var found: [(list: TabList, id: NodeID)] = []
        for number in numbers { found.append(try find(number)) }
        guard let list = found.first?.list, found.allSatisfy({ $0.list === list }) else {
            throw CommandMistake("incognito tabs are never together with others")
        }
        return (list, found.map(\.id))
    }
}

extension TabList {
    /// Returns the place directly behind a node, among its siblings.
    fileprivate func target(behind node: NodeID) -> NodeTarget {
        guard let parent = ancestors(of: node).first else {
            return .top(zone(of: node) ?? .normal, .behind(node))
        }
        let isBranch = children(of: parent, .branch).contains(node)
        return isBranch ? .below(parent, .behind(node)) : .inside(parent, .behind(node))
    }
}
