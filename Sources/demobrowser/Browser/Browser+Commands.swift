import BrowserModel
import BrowserSessions
import SessionRestoration

extension Browser {
    /// Performs a command and returns the lines to show. The program itself handles `help`,
    /// `crash`, and `quit`.
    func perform(_ command: Command) async throws -> [String] {
        switch command {
        case .windows: return windowLines()
        case .tabs: return tabLines()
        case .spaces: return spaceLines()
        case .state(let number): return try await stateLines(of: tab(number))
        case .visited: return try visitedLines()
        case .suggest(let text): return try suggestionLines(for: text)
        case .newWindow: try openWindow()
        case .showWindow(let number): try showWindow(number)
        case .closeWindow: try closeWindow()
        case .open(let address):
            try open(address)
            return pageText()
        case .openIncognito(let address): try openIncognito(address)
        case .go(let step):
            try go(step, in: await activePage())
            return pageText()
        case .select(let number): return try await showTab(number)
        case .move, .send, .into, .below, .out, .share: return [try move(command)]
        case .close, .pin, .group, .ungroup: try rearrange(command)
        case .folder, .split, .rename, .collapse, .dissolve: try restructure(command)
        case .space(let name): try showSpace(name)
        case .save: try await restorer.save()
        case .background: enterBackground()
        case .foreground: enterForeground()
        case .points, .keep, .release, .goBack, .undoGoBack, .apply, .find, .forget:
            return try await visitEarlier(command)
        default: return try await reopen(command)
        }
        return []
    }

    /// Moves tabs or nodes. Returns what moved, and where it is now.
    private func move(_ command: Command) throws -> String {
        switch command {
        case .move(let number, let place): return try move(number, to: place)
        case .send(let number, let target): return try send(number, toWindow: target)
        case .into(let folder, let nodes):
            try move(nodes, into: folder)
            return "moved \(Self.list(nodes)) into \(folder)"
        case .below(let parent, let nodes):
            try move(nodes, below: parent)
            return "moved \(Self.list(nodes)) below \(parent)"
        case .out(let nodes):
            try takeOut(nodes)
            return "took \(Self.list(nodes)) out"
        case .share(let numbers):
            try share(numbers)
            return "moved \(Self.list(numbers)) to space \(window.space?.name ?? "")"
        default: return ""
        }
    }

    /// Numbers as a person lists them: `3`, or `n1, 2 and 3`.
    private static func list(_ numbers: [some CustomStringConvertible]) -> String {
        let texts = numbers.map(\.description)
        guard texts.count > 1, let last = texts.last else { return texts.joined() }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }

    private func rearrange(_ command: Command) throws {
        switch command {
        case .close(let numbers): try close(numbers)
        case .pin(let number, let isPinned): try pin(number, isPinned)
        case .group(let name, let numbers): try group(name, numbers)
        case .ungroup(let numbers): try ungroup(numbers)
        default: break
        }
    }

    private func restructure(_ command: Command) throws {
        switch command {
        case .folder(let name, let nodes): try makeFolder(name, nodes)
        case .split(let nodes): try makeSplit(nodes)
        case .rename(let folder, let name): try update(folder) { $0.name = name }
        case .collapse(let folder, let isCollapsed):
            try update(folder) { $0.isCollapsed = isCollapsed }
        case .dissolve(let folder): try dissolve(folder)
        default: break
        }
    }

    private func showTab(_ number: TabNumber) async throws -> [String] {
        let tab = try select(number)
        try onChange()
        let wasRealized = tab.isRealized
        try await tab.forceRealization()
        guard !number.isIncognito else { return [] }
        return pageText() + (wasRealized ? [] : ["   (its state was read now: it is realized)"])
    }
}
