import BrowserModel
import BrowserSessions
import SessionSamples

@testable import SessionRestoration

/// What a random host does.
extension RandomSaver {
    /// So many steps, and then the store is well until all is saved.
    mutating func live(steps count: Int) throws {
        try send(.started)
        for _ in 0..<count {
            steps += 1
            try step()
        }
        try end()
    }

    private mutating func step() throws {
        switch random.integer(in: 0...99) {
        case 0..<12: try openTab()
        case 12..<36: try changeTab()
        case 36..<42: try moveTab()
        case 42..<48: try closeTab()
        case 48..<51: try openWindow()
        case 51..<53: try closeWindow()
        case 53..<56: try retitle()
        case 56..<64: try requestSave()
        case 64..<66: try send(.saveSoonRequested)
        case 66..<67: try requestDeletion()
        case 67..<68: try replaceStorage()
        case 68..<74: try fireTimer()
        default: try answer()
        }
    }

    // MARK: The model

    private mutating func mark(_ mark: PendingChanges.Mark, _ partition: StoragePartition) throws {
        try send(.marked(mark, partition))
    }

    private mutating func openWindow() throws {
        guard model.windows.count < 6 else { return }
        let isPrivate = random.chance(1, in: 3)
        let id = SessionID(
            window: .random(using: &random), kind: isPrivate ? .incognito : .regular)
        model.windows[id] = "w\(steps)"
        note("open \(id)")
        try mark(.session(id), id.partition)
    }

    private mutating func retitle() throws {
        guard !model.windows.isEmpty else { return }
        let id = random.pick(model.windowIDs)
        model.windows[id] = "w\(steps)"
        try mark(.session(id), id.partition)
    }

    private mutating func openTab() throws {
        guard !model.windows.isEmpty, model.tabs.count < 30 else { return try openWindow() }
        let session = random.pick(model.windowIDs)
        let tab = TabMetadata(
            id: .random(using: &random), place: .between(nil, and: nil), url: "https://a/\(steps)",
            title: "t\(steps)")
        model.tabs[tab.id] = .init(metadata: tab, session: session)
        note("open tab \(tab.id) in \(session)")
        try mark(.tab(tab.id, in: session, isStateNew: true), session.partition)
    }

    private mutating func changeTab() throws {
        guard !model.tabs.isEmpty else { return }
        let id = random.pick(model.tabIDs)
        guard let session = model.tabs[id]?.session else { return }
        let isStateNew = random.chance(1, in: 2)
        if isStateNew { model.tabs[id]?.stateVersion += 1 }
        model.tabs[id]?.metadata.navigationItemCount += 1
        model.tabs[id]?.metadata.title = "t\(steps)"
        note("change \(id)")
        try mark(.tab(id, in: session, isStateNew: isStateNew), session.partition)
    }

    private mutating func moveTab() throws {
        guard !model.tabs.isEmpty else { return }
        let id = random.pick(model.tabIDs)
        guard let from = model.tabs[id]?.session else { return }
        let others = model.windowIDs.filter { $0.partition == from.partition && $0 != from }
        guard !others.isEmpty else { return }
        let target = random.pick(others)
        model.tabs[id]?.session = target
        model.tabs[id]?.metadata.navigationItemCount += 1
        note("move \(id) to \(target)")
        try mark(.tab(id, in: target, isStateNew: false), target.partition)
    }

    private mutating func closeTab() throws {
        guard !model.tabs.isEmpty else { return }
        let id = random.pick(model.tabIDs)
        guard let session = model.tabs[id]?.session else { return }
        model.close(id)
        note("close \(id)")
        try mark(.closed(id, isAsked: random.chance(1, in: 2)), session.partition)
    }

    private mutating func closeWindow() throws {
        guard model.windows.count > 1 else { return }
        let id = random.pick(model.windowIDs)
        for tab in model.tabIDs where model.tabs[tab]?.session == id { model.close(tab) }
        model.windows[id] = nil
        note("close \(id)")
        try mark(.removed(id, isAsked: random.chance(1, in: 2)), id.partition)
    }

    // MARK: Requests

    private mutating func requestSave() throws {
        let number = coordinator.newNumber()
        requests[number] = model
        note("save \(number)")
        try send(.saveRequested(SaveRequest(number: number)))
    }

    private mutating func requestDeletion() throws {
        for id in model.windowIDs where id.partition == .incognito {
            for tab in model.tabIDs where model.tabs[tab]?.session == id { model.close(tab) }
            model.windows[id] = nil
            try mark(.removed(id, isAsked: true), .incognito)
        }
        note("delete incognito")
        try send(.deletionRequested(coordinator.newNumber()))
    }

    private mutating func replaceStorage() throws {
        note("replace the storage")
        try send(.storageReplaced(maximumStateBytes: 1 << 16))
        for partition in StoragePartition.allCases {
            for mark in model.marks(of: partition) { try send(.marked(mark, partition)) }
        }
    }

    // MARK: Time and answers

    private mutating func fireTimer() throws {
        guard !timers.isEmpty else { return }
        let timer = random.pick(timers.sorted { $0.order < $1.order })
        timers.remove(timer)
        note("\(timer) ends")
        try send(.timerEnded(timer))
    }

    /// One thing that the shell or the store owes.
    private mutating func answer() throws {
        if !checks.isEmpty {
            return try send(.ownerChecked(checks.removeFirst(), isReplaced: false))
        }
        if isFlushing {
            isFlushing = false
            return try send(.pagesFlushed)
        }
        if isNoteDue {
            isNoteDue = false
            let fails = !isWell && random.chance(1, in: 5)
            if !fails { noteLaunch() }
            return try send(.deletionNoted(fails ? StorageError(.failed, "no note") : nil))
        }
        if areDeletionsDue {
            areDeletionsDue = false
            if coordinator.deletion.isPending { try requestDeletion() }
            return
        }
        guard let number = calls.keys.min(), let call = calls.removeValue(forKey: number) else {
            return
        }
        try end(number, call)
    }

    private mutating func end(_ number: Int, _ call: Call) throws {
        let isLost = !isWell && random.chance(1, in: 8)
        let fails = !isWell && random.chance(1, in: 6)
        guard let changes = call.changes else {
            if !fails { store.deleteIncognito() }
            note("deletion \(number) \(fails ? "fails" : isLost ? "gets no answer" : "ends")")
            return try send(
                .deletionAnswered(
                    number, fails || isLost ? .failure(error(isLost && !fails)) : .success(())))
        }
        var answer: Result<SaveReceipt, StorageError>
        if fails {
            answer = .failure(error(false))
        } else {
            do throws(StorageError) {
                answer = .success(try store.save(changes, in: call.partition, call.durability))
                if isLost { answer = .failure(error(true)) }
            } catch {
                answer = .failure(error)
            }
        }
        note("call \(number) \(fails ? "fails" : isLost ? "gets no answer" : "ends")")
        try send(.saveAnswered(number, answer, .zero))
    }

    private func error(_ isIndeterminate: Bool) -> StorageError {
        StorageError(
            .failed, "input/output error", effect: isIndeterminate ? .indeterminate : .notApplied)
    }

    // MARK: The end

    /// The store is well, and everything is saved.
    private mutating func end() throws {
        isWell = true
        note("END")
        for _ in 0..<8 {
            try requestSave()
            for _ in 0..<400 { try answer() }
        }
        guard coordinator.isClean else {
            throw Failure(
                description: """
                    not all is saved: \(coordinator.saves), \(coordinator.deletion), \
                    \(coordinator.transfers.mapValues(\.waitsFor)), \(coordinator.calls), \
                    \(coordinator.regular.tabs.keys), \(coordinator.incognito.tabs.keys), \
                    \(coordinator.regular.sessions.keys), \(coordinator.incognito.sessions.keys), \
                    \(coordinator.revocableSaves.count)
                    """)
        }
        let stored = Set(store.tabs.keys)
        guard stored == Set(model.tabs.keys) else {
            throw Failure(
                description: "too many: \(stored.subtracting(model.tabs.keys)), "
                    + "missing: \(Set(model.tabs.keys).subtracting(stored))")
        }
        for (id, tab) in model.tabs
        where store.tabs[id]?.metadata != tab.metadata
            || store.tabs[id]?.session != tab.session
        {
            throw Failure(description: "\(id) is not as it is")
        }
        for (id, tab) in model.tabs
        where try store.stateVersion(of: id, in: tab.session) != tab.stateVersion {
            throw Failure(description: "the state of \(id) is not as it is")
        }
        for (session, title) in model.windows where store.attributes[session]?.title != title {
            throw Failure(description: "\(session) is not as it is")
        }
        for session in store.attributes.keys where model.windows[session] == nil {
            throw Failure(description: "\(session) was closed")
        }
    }
}

extension SaveTimer {
    /// An order that does not depend on the process.
    fileprivate var order: (Int, Int) {
        switch self {
        case .saveDelay: (0, 0)
        case .retry: (1, 0)
        case .deletionRetry: (2, 0)
        case .stall(let call): (3, call)
        case .deadline(let call): (4, call)
        }
    }
}
