import BrowserModel
import BrowserSessions
import CommandLineSupport

extension Browser {
    /// The spaces, in their order. They belong to no window.
    private var spaces: [StructureNode] {
        profile.windows.library.nodes.filter { $0.kind == .space }
    }

    /// The tabs of the space that the window shows; `[]` if it shows none.
    var tabsOfSpace: [Tab] {
        let library = profile.windows.library
        guard let space = window.space, let range = library.range(of: space) else { return [] }
        return Array(library[range])
    }

    func spaceLines() -> [String] {
        if spaces.isEmpty { return ["  (no spaces: 'space NAME' makes one)"] }
        return spaces.map { space in
            let count = profile.windows.library.range(of: space)?.count ?? 0
            return
                "\(space.id == window.space?.id ? ">" : " ") \(space.name): \(counted(count, "tab"))"
        }
    }

    /// Shows the space with a name in the window, and makes it if there is none; without a name, the window's
    /// own tabs alone.
    func showSpace(_ name: String?) throws {
        guard let name else { return try window.show(nil) }
        if let known = spaces.first(where: { $0.name == name }) {
            return try window.show(known.id)
        }
        let space = StructureNode.space(name: name)
        try profile.windows.library.create(space)
        try window.show(space.id)
    }

    /// Moves tabs of the window to the space that it shows, so that other windows can show them, too.
    func share(_ numbers: [TabNumber]) throws -> [String] {
        guard let space = window.space else {
            throw CommandMistake("the window shows no space: 'space NAME' shows one")
        }
        let found = try numbers.map { try find($0) }
        guard found.allSatisfy({ $0.list === window.tabs }) else {
            throw CommandMistake("only the window's own tabs can be shared")
        }
        try window.tabs.transfer(
            found.map { NodeID($0.tab.id) }, to: profile.windows.library, at: .inside(space.id))
        return ["moved \(Self.list(numbers)) to space \(space.name)"]
    }
}
