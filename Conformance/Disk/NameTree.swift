import BrowserSessions

/// The names of a simulated disk: the entries of each directory. Nodes are numbered as they are
/// made; the root directory is 0.
struct NameTree: Sendable {
    private(set) var entries: [Int: [String: Int]] = [0: [:]]
    /// How often the names in each directory have changed.
    private(set) var changes: [Int: Int] = [:]
    /// The newest name that each node got.
    private var places: [Int: (directory: Int, name: String)] = [:]

    /// A change that a file system makes entirely or not at all.
    enum Change: Hashable, Sendable {
        case add(Int, String, Int, isDirectory: Bool)
        case remove(Int, String)
        case move(Int, String, to: Int, String, Int)

        /// The file or directory that gets a name; `nil` if one loses it.
        var node: Int? {
            switch self {
            case .add(_, _, let node, _), .move(_, _, _, _, let node): node
            case .remove: nil
            }
        }

        /// The directories with changed entries.
        var directories: [Int] {
            switch self {
            case .add(let directory, _, _, _), .remove(let directory, _): [directory]
            case .move(let directory, _, let other, _, _): [directory, other]
            }
        }
    }

    mutating func apply(_ change: Change) {
        for directory in change.directories { changes[directory, default: 0] += 1 }
        switch change {
        case .add(let directory, let name, let node, let isDirectory):
            entries[directory, default: [:]][name] = node
            places[node] = (directory, name)
            if isDirectory, entries[node] == nil { entries[node] = [:] }
        case .remove(let directory, let name): entries[directory]?[name] = nil
        case .move(let directory, let name, let other, let otherName, let node):
            if entries[directory]?[name] == node { entries[directory]?[name] = nil }
            entries[other, default: [:]][otherName] = node
            places[node] = (other, otherName)
        }
    }

    /// Returns the node of a path; `nil` if there is none.
    func node(at path: String) -> Int? {
        var node = 0
        for name in PathText.names(of: path) {
            guard let next = entries[node]?[name] else { return nil }
            node = next
        }
        return node
    }

    /// Returns the directory of a path, and its last name.
    func place(of path: String) -> (directory: Int, name: String)? {
        guard let slash = path.lastIndex(of: "/") else { return (0, path) }
        guard let directory = node(at: String(path[..<slash])) else { return nil }
        return (directory, String(path[path.index(after: slash)...]))
    }

    /// Returns a path of a node, any of several; `nil` if none leads to it.
    func path(of node: Int) -> String? {
        guard node != 0 else { return "" }
        guard let place = places[node], entries[place.directory]?[place.name] == node else {
            return path(of: node, below: 0)
        }
        return path(of: place.directory).map { $0.isEmpty ? place.name : "\($0)/\(place.name)" }
    }

    private func path(of sought: Int, below directory: Int) -> String? {
        for (name, node) in entries[directory] ?? [:] {
            if node == sought { return name }
            if entries[node] != nil, let rest = path(of: sought, below: node) {
                return "\(name)/\(rest)"
            }
        }
        return nil
    }

    /// Everything that can be reached, by path, parents first.
    var paths: [(path: String, node: Int, isDirectory: Bool)] {
        var found: [(path: String, node: Int, isDirectory: Bool)] = []
        func visit(_ node: Int, _ path: String) {
            for (name, child) in (entries[node] ?? [:]).sorted(by: { $0.key < $1.key }) {
                let childPath = path.isEmpty ? name : "\(path)/\(name)"
                found.append((childPath, child, entries[child] != nil))
                if entries[child] != nil { visit(child, childPath) }
            }
        }
        visit(0, "")
        return found
    }
}
