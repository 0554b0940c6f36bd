import BrowserSessions
import ChildProcesses
import Foundation
import StorageEngines

/// A small ext4 in a file, which the kernel can cut off. Only the superuser can mount one.
struct LoopDisk {
    /// The mount point.
    let folder: String
    private let image: String

    /// Makes a file system in a new folder.
    init(in place: String) throws {
        guard geteuid() == 0 else { throw NotTried("only the superuser may mount a file system") }
        folder = "\(place)/mounted"
        image = "\(place)/image"
        try FileSystem.makeDirectories(folder)
        try LocationFiles.overwrite(image, with: [])
        guard truncate(image, 64 << 20) == 0 else { throw StorageError.system("make", path: image) }
        do {
            try Self.run("mkfs.ext4", "-q", "-F", image)
            try mount()
        } catch let fault as HarnessFault {
            throw NotTried("no file system can be made and mounted here: \(fault.message)")
        }
    }

    private func mount() throws { try Self.run("mount", "-o", "loop", "-t", "ext4", image, folder) }

    /// Mounts it as the next start of the machine would.
    func remount() throws {
        try unmount()
        try mount()
    }

    func unmount() throws { try Self.run("umount", folder) }

    private static func run(_ words: String...) throws {
        let program: RunningProgram
        do {
            program = try RunningProgram(
                ["/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"] + words, output: .pipe,
                messages: .output)
        } catch {
            throw HarnessFault("\(words[0]) cannot be run: \(error)")
        }
        let text = program.readToEnd()
        guard program.end() == .exited(0) else {
            let said = ConformanceChild.oneLine(String(decoding: text, as: UTF8.self))
            throw HarnessFault("\(words[0]) failed: \(said)")
        }
    }
}

extension ConformanceSuite {
    /// Makes the kernel cut the power, and the simulated disk determine what may be left.
    @Sendable static func cutsByTheKernel(_ context: CaseContext) async throws {
        let count = context.amount(0, full: 12, long: 60)
        guard count > 0 else { throw NotTried("only a full run mounts a file system") }
        let levels: [Durability] = [.powerLoss]
        let place = try await context.makeLocation("disk")
        let disk = try LoopDisk(in: place)
        defer { try? disk.unmount() }
        var real = try await PowerLab(
            context, .ordered, location: "\(disk.folder)/store")
        let memory = try await context.makeLocation("simulated disk")
        try FileSystem.makeDirectories(memory)
        let simulated = try await PowerLab(
            context, .ordered, location: "\(memory)/store")
        guard let whole = try await real.record(RecordedLife(sets: 6, levels: levels)) else {
            return try real.conclude()
        }
        var agreements = 0
        for number in 1...count {
            var life = RecordedLife(sets: 6, levels: levels)
            let calls = whole.actions.count { if case .note = $0 { false } else { true } }
            let at = max(1, number * calls / count)
            // Removed content must not come back with the cut.
            try FileSystem.remove(real.location)
            try disk.remount()
            life.earlyFault = InjectedFault(calls: .changes, at: at, effect: .cutOff)
            guard let recording = try await real.record(life) else { continue }
            try disk.remount()
            guard recording.isKilled else { continue }
            var end = recording.end
            end.progress.losePower()
            let legal = try await simulated.found(
                after: PowerCut.plain + (0..<20).map { .sample($0) }, at: end)
            let found = try await real.judge(end.progress, "before call \(at) of \(calls)")
            guard legal.contains(found) else {
                let words = legal.map { $0.map { "set \($0)" } ?? "something wrong" }.sorted()
                throw HarnessFault(
                    """
                    the kernel left \(found.map { "set \($0)" } ?? real.firstFinding ?? ""), the simulated \
                    disk leaves \(words.joined(separator: " or "))
                    """)
            }
            agreements += 1
        }
        context.note("\(agreements) cuts by the kernel, all as simulated")
        try real.conclude()
        try require(agreements > 0, "no process came to the call at which it was to be cut off")
    }
}
