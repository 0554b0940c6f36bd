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
        case .close, .move, .send, .pin, .group, .ungroup: try rearrange(command)
        case .folder, .split, .into, .below, .out, .rename, .collapse, .dissolve:
            try restructure(command)
        case .space(let name): try showSpace(name)
        case .share(let numbers): try share(numbers)
        case .save: try await restorer.save()
        case .background: enterBackground()
        case .foreground: enterForeground()
        default: return try await reopen(command)
        }
        return []
    }

    private func rearrange(_ command: Command) throws {
        switch command {
        case .close(let numbers): try close(numbers)
        case .move(let number, let place): try move(number, to: place)
        case .send(let number, let target): try send(number, to: window(target))
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
        case .into(let folder, let nodes): try move(nodes, into: folder)
        case .below(let parent, let nodes): try move(nodes, below: parent)
        case .out(let nodes): try takeOut(nodes)
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
