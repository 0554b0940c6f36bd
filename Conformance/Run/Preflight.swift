import BrowserSessions
import ChildProcesses
import Foundation
import StorageEngines

/// Checks a harness before any case runs, so that its faults are never blamed on the backend.
///
/// Throws ``HarnessFault``. A backend that opens stores but fails in a later call is not the
/// harness's fault; the cases report it.
struct Preflight: Sendable {
    let harness: any StorageHarness

    /// Checks everything except the child process.
    ///
    /// - Parameter claim: receives the traits as soon as they are known.
    func check(claim: (StorageTraits) -> Void) async throws {
        let (one, other) = try await makeLocations()
        let store = try await openNew(one)
        claim(store.traits)
        do {
            try harness.check(store.traits)
        } catch {
            try? await store.close()
            throw error
        }
        let isSaved = await save(in: store)
        try? await store.close()
        try await checkUntouched(other)
        if isSaved { try await checkKept(one) }
        try await remove(one)
        try await remove(other)
    }

    private func makeLocations() async throws -> (String, String) {
        let one = try await make()
        let other = try await make()
        guard one != other else {
            throw HarnessFault("makeLocation() returned the same location twice")
        }
        if harness.persistence == .files {
            let paths = [one, other].map { $0.hasSuffix("/") ? $0 : $0 + "/" }
            guard !paths[0].hasPrefix(paths[1]), !paths[1].hasPrefix(paths[0]) else {
                throw HarnessFault("makeLocation() returned a location inside another")
            }
            for path in [one, other] where try FileSystem.exists(path) {
                throw HarnessFault("makeLocation() returned a location at which something is")
            }
        }
        return (one, other)
    }

    private func make() async throws -> String {
        do {
            return try await harness.makeLocation()
        } catch {
            throw HarnessFault("makeLocation() failed: \(error)")
        }
    }

    private func openNew(_ location: String) async throws -> any SessionStorage {
        do {
            return try await harness.open(StorageConfiguration(location: location))
        } catch {
            throw HarnessFault("no store can be opened, so none can be judged: \(error)")
        }
    }

    private func save(in store: any SessionStorage) async -> Bool {
        do {
            if harness.persistence != .files, try await !store.sessions().isEmpty { return false }
            var changes = SessionChanges()
            changes.put(
                SessionAttributes(), for: SessionID(window: WindowID(high: 1, low: 1)))
            _ = try await store.save(changes, durability: store.traits.greatestDurability)
            return true
        } catch {
            return false
        }
    }

    private func checkUntouched(_ location: String) async throws {
        if harness.persistence == .files {
            if try FileSystem.exists(location) {
                throw HarnessFault("opening a store at one location made files at another")
            }
            return
        }
        let sessions: [SessionID]
        let store = try await openNew(location)
        do {
            sessions = try await store.sessions()
            try await store.close()
        } catch {
            return
        }
        guard sessions.isEmpty else {
            throw HarnessFault("what is saved at one location is found at another")
        }
    }

    /// Checks that saved and closed content is where the claimed persistence says.
    private func checkKept(_ location: String) async throws {
        if harness.persistence == .files {
            let isDirectory = try FileSystem.status(location) != nil
            guard isDirectory, let names = try? FileSystem.contents(of: location), !names.isEmpty
            else {
                throw HarnessFault("persistence .files is claimed, but there are none")
            }
        }
        guard harness.persistence >= .process else { return }
        let again: any SessionStorage
        do {
            again = try await harness.open(StorageConfiguration(location: location))
        } catch {
            throw HarnessFault(
                "persistence .\(harness.persistence.rawValue) is claimed, but the store does not"
                    + " open again: \(error)")
        }
        try? await again.close()
    }

    private func remove(_ location: String) async throws {
        do {
            try await harness.removeLocation(location)
        } catch {
            throw HarnessFault("removeLocation() failed: \(error)")
        }
        if harness.persistence == .files {
            if try FileSystem.exists(location) {
                throw HarnessFault("removeLocation() left something behind")
            }
            return
        }
        let store = try await openNew(location)
        let sessions = (try? await store.sessions()) ?? []
        try? await store.close()
        try? await harness.removeLocation(location)
        guard sessions.isEmpty else {
            throw HarnessFault("removeLocation() left a session behind")
        }
    }
}

extension StorageHarness {
    /// Throws ``HarnessFault`` if the claims of the harness and its store contradict each other. No
    /// case could find out which is wrong: what would show it does not apply to such stores.
    func check(_ traits: StorageTraits) throws {
        let claimed = traits.greatestDurability
        guard persistence < .elsewhere, claimed > .memory else { return }
        throw HarnessFault(
            """
            persistence .\(persistence.rawValue) means that what is saved ends with the process, \
            but the store claims saves at .\(claimed.rawValue), which outlive it; one is wrong
            """)
    }
}

extension Preflight {
    /// Checks the harness, in its own process if it can start one, and returns what its stores
    /// claim.
    func run(within limit: Duration) async throws -> StorageTraits {
        guard let command = harness.child else { return try await runHere() }
        try await greet(command, limit)
        let child = try ChildProcess(
            command,
            ChildOrder(
                worker: "preflight", caseID: "", harness: harness.label))
        let (lines, end) = await child.lines(within: limit)
        if let fault = lines.first(where: { $0.hasPrefix("fault ") }) {
            throw HarnessFault(String(fault.dropFirst("fault ".count)))
        }
        let claim = lines.first { $0.hasPrefix("traits ") }.flatMap {
            try? JSONDecoder().decode(
                ClaimedTraits.self, from: Data($0.dropFirst("traits ".count).utf8)
            ).traits
        }
        if let claim { return claim }
        throw HarnessFault("a process that opens a store \(end.map(\.description) ?? "hangs")")
    }

    private func runHere() async throws -> StorageTraits {
        var traits: StorageTraits?
        try await check { traits = $0 }
        guard let traits else { throw HarnessFault("the store says nothing of itself") }
        return traits
    }

    private func greet(_ command: ChildCommand, _ limit: Duration) async throws {
        let child = try ChildProcess(
            command,
            ChildOrder(
                worker: Worker.hello.name, caseID: "", harness: harness.label))
        let (lines, end) = await child.lines(within: limit)
        guard lines == ["hello \(harness.name)"] else {
            let answer = lines.first ?? "nothing, it \(end.map(\.description) ?? "hangs")"
            throw HarnessFault(
                "the child process should say 'hello \(harness.name)', it says '\(answer)'")
        }
    }
}

extension Worker {
    /// Checks the harness and reports what its stores claim.
    static let preflight = Worker(name: "preflight") { _, harness in
        do {
            try await Preflight(harness: harness).check { traits in
                guard let claim = try? JSONEncoder().encode(ClaimedTraits(traits)) else { return }
                ConformanceChild.report("traits \(String(decoding: claim, as: UTF8.self))")
            }
        } catch {
            ConformanceChild.report("fault \(ConformanceChild.oneLine("\(error)"))")
        }
    }
}
