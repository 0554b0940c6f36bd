import BrowserSessions

/// Looks at everything that a process writes while it has incognito sessions.
enum IncognitoTrace {
    @Sendable static func writes(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let process = try await RecordedProcess(Worker.incognitoUser, of: context, at: location)
        guard process.end == .exited(0), process.lines.last == "done" else {
            throw Violation(
                "the process \(process.end): \(process.lines.last ?? process.lastWords)")
        }
        var disk = SimulatedDisk(.ordered)
        for action in process.trace.actions { disk.apply(action) }
        try disk.requireToBeWhatLies(at: location)
        let canary = try ContentCanary(seed: context.seed, isIncognito: true)
        var count = 0
        for action in process.trace.actions {
            switch action {
            case .write(_, let offset, let bytes):
                count += 1
                try require(
                    !canary.isFound(in: Array(bytes)),
                    "write \(count), of \(bytes.count) bytes at \(offset), has something in clear")
            case .create(let path, _), .makeDirectory(let path, _), .rename(_, let path, _),
                .link(_, let path, _):
                try require(
                    !canary.isFound(in: Array(path.utf8)), "the name of a file is in clear")
            default: break
            }
        }
        try require(count > 0, "nothing was written that can be followed")
        context.note("\(count) writes have nothing in clear")
    }
}

extension Worker {
    /// Saves, changes and deletes incognito sessions beside regular ones.
    static let incognitoUser = Worker(name: "incognito.user") { order, harness in
        try RecordedProcess.begin(order)
        let canary = try ContentCanary(seed: order.seed, isIncognito: true)
        let store = try await harness.open(StorageConfiguration(location: order.location))
        _ = try await store.save(NumberedSets().changes(1))
        try await canary.use(store)
        _ = try await store.restore(canary.session)
        try await store.deleteIncognito()
        try await store.close()
        ConformanceChild.report("done")
    }
}
