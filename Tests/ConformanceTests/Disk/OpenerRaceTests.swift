import BrowserSessions
import DirectoryBackend
import Expectations
import StorageConformance
import StorageEngines
import Synchronization
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Two openers of one place, the second between any two calls of the first.
@Suite("Openers between each other's calls")
struct OpenerRaceTests {
    private static let path = "/home/profile"

    /// The ways in which a store is opened.
    enum Opener: CaseIterable {
        case making, finding, reading

        var configuration: StorageConfiguration {
            let options: [String: OptionValue] =
                switch self {
                case .making: [:]
                case .finding: ["create": .bool(false)]
                case .reading: ["access": .text("readOnly")]
                }
            return StorageConfiguration(location: OpenerRaceTests.path, options: options)
        }

        /// Opens and closes; `nil` if that went well.
        func run(on disk: SimulatedFileSystem) -> StorageError.Code? {
            do throws(StorageError) {
                try OrderedSessionStorage(
                    opening: configuration, engine: DirectoryEngine(), on: disk
                ).closeBlocking()
                return nil
            } catch { return error.code }
        }
    }

    /// What the first opener does with the store.
    enum Life: CaseIterable { case making, using, removing }

    private func disk(for life: Life) throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem(.ordered)
        // For the copies that are read.
        try disk.makeDirectories(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
        if life != .making { expect(Opener.making.run(on: disk) == nil) }
        return disk
    }

    private func live(_ life: Life, on disk: SimulatedFileSystem) throws {
        guard life != .removing else {
            try OrderedSessionStorage.remove(
                Opener.making.configuration, engine: DirectoryEngine(), on: disk)
            return
        }
        let store = try OrderedSessionStorage(
            opening: Opener.making.configuration, engine: DirectoryEngine(), on: disk)
        var changes = SessionChanges()
        changes.put(
            SessionAttributes(title: "Window"), for: SessionID(window: WindowID(high: 1, low: 1)))
        _ = try store.saveBlocking(changes, durability: .powerLoss)
        try store.closeBlocking()
    }

    /// Whether somebody has the directory; `nil` if there is none.
    private static func isLocked(_ disk: SimulatedFileSystem) -> Bool? {
        guard let directory = try? disk.directory(at: path),
            let isFree = try? directory.lock()
        else { return nil }
        if isFree { directory.unlock() }
        return !isFree
    }

    @Test(
        "As long as one has the store, each other gets `.locked`, whatever the first has done so far",
        arguments: Life.allCases, Opener.allCases)
    func locked(life: Life, opener: Opener) throws {
        let answers = Mutex<[StorageError.Code?]>([])
        var number = 0
        var isReached = true
        while isReached {
            number += 1
            let disk = try disk(for: life)
            let wasReached = Mutex(false)
            disk.run(before: number) {
                wasReached.withLock { $0 = true }
                guard Self.isLocked(disk) == true else { return }
                let answer = opener.run(on: disk)
                answers.withLock { $0.append(answer) }
            }
            try live(life, on: disk)
            isReached = wasReached.withLock { $0 }
        }
        let found = answers.withLock { $0 }
        expect(found.count > 10)
        expect(found.filter { $0 != .locked }, is: [])
    }

    /// What another does while the store is being opened.
    enum Other: CaseIterable { case uses, removes, exchanges }

    @Test(
        "A store that was there all the time is found, and one that may be made is never missing",
        arguments: Other.allCases, Opener.allCases)
    func found(other: Other, opener: Opener) throws {
        var answers: Set<StorageError.Code?> = []
        for number in 1...40 {
            let disk = try disk(for: .using)
            disk.run(before: number) { [self] in
                if other != .uses { try? live(.removing, on: disk) }
                if other != .removes { try? live(.using, on: disk) }
            }
            answers.insert(opener.run(on: disk))
            let isThere = Opener.finding.run(on: disk) == nil
            expect(isThere || other == .removes)
        }
        switch (other, opener) {
        case (.uses, _): expect(answers, is: [nil])
        case (.exchanges, _): expect(answers.isSubset(of: [nil, .locked]))
        case (.removes, .making): expect(answers.isSubset(of: [nil, .locked]))
        case (.removes, _): expect(answers, is: [nil, .notFound])
        }
    }
}
