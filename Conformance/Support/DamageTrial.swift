import BrowserSessions
import SessionSamples

/// An open store that was used and has one damaged file.
struct DamageTrial: Sendable {
    let used: UsedStore
    let context: CaseContext
    let location: String
    /// What was done to which file.
    let what: String
    /// The file, by its path below the location.
    let file: String
    /// A few bytes around the beginning and end of the damage, as they are now. Any copy of the
    /// damaged record has some of them.
    let traces: [[UInt8]]
    /// The partition of the file, if its path names one.
    let partition: StoragePartition?
    let store: any SessionStorage

    /// Damages each file of a store in turn. Counts openings that throw `corrupted`, and tries them
    /// no further; other errors break the requirement.
    ///
    /// - Parameters:
    ///   - times: how often each file is damaged, each time in a different place.
    ///   - options: how the damaged store is opened.
    static func each(
        _ kind: FileDamage, _ context: CaseContext, times: Int = 1,
        options: [String: OptionValue] = [:], _ judge: (DamageTrial) async throws -> Void
    ) async throws {
        try await each(context, options, judge) { bytes, generator in
            (0..<times).flatMap { _ in kind.versions(of: bytes, &generator) }
        }
    }

    /// Flips each bit of the small structures of each file, which may have no checksum, up to the
    /// number that the depth of the run allows.
    static func eachSmallFlip(
        _ context: CaseContext, _ judge: (DamageTrial) async throws -> Void
    ) async throws {
        let most = context.amount(2, full: 12, long: .max)
        try await each(context, [:], judge) { bytes, generator in
            FileDamage.smallFlips(of: bytes, most: most, &generator)
        }
    }

    private static func each(
        _ context: CaseContext, _ options: [String: OptionValue],
        _ judge: (DamageTrial) async throws -> Void,
        _ versions: ([UInt8], inout SeededGenerator) -> [FileDamage.Version]
    ) async throws {
        let used = try await UsedStore(context)
        var (damages, refused) = (0, 0)
        let location = try await context.makeLocation("opened after the damage")
        let files = try LocationFiles(used.location)
        for file in files.files {
            let bytes = files.entries[file] ?? []
            var generator = SeededGenerator(seed: context.seed, file: file)
            for version in versions(bytes, &generator) {
                try files.write(to: location, replacing: file, with: version.bytes)
                let what = "'\(file)', \(version.what)"
                context.trying(what)
                damages += 1
                do {
                    guard let store = try await open(context, location, options, what) else {
                        refused += 1
                        continue
                    }
                    let partition = StoragePartition.allCases.first { file.contains($0.rawValue) }
                    try await judge(
                        DamageTrial(
                            used: used, context: context, location: location, what: what,
                            file: file, traces: traces(of: bytes, in: version.bytes ?? []),
                            partition: partition, store: store))
                    try? await store.close()
                } catch {
                    let damaged = try await context.makeLocation("damaged, never opened")
                    try files.write(to: damaged, replacing: file, with: version.bytes)
                    throw error
                }
            }
        }
        context.note("\(damages) damaged files, one after the other")
        if refused > 0 { context.note("\(refused) damaged stores were not opened at all") }
    }

    private static func traces(of bytes: [UInt8], in damaged: [UInt8]) -> [[UInt8]] {
        guard let first = firstDifference(bytes, damaged) else { return [] }
        let last = lastDifference(bytes, damaged, from: first)
        // For one changed byte, these are those around it; for many, those beside them, because a
        // record may have lost all others. Zeros are found anywhere.
        let end = (last + 1..<min(last + 512, damaged.count)).first { damaged[$0] != 0 } ?? last
        let starts =
            first == last
            ? Array(first - 7...first)
            : Array(stride(from: first - 24, through: first, by: 4))
                + Array(stride(from: end - 7, through: end + 24, by: 4))
        return starts.compactMap { start in
            guard start >= 0, start + 8 <= damaged.count else { return nil }
            let trace = [UInt8](damaged[start..<start + 8])
            return trace.contains { $0 != 0 } ? trace : nil
        }
    }

    /// The size of compared blocks: single bytes take long without optimization in large files.
    private static let block = 1024

    private static func firstDifference(_ one: [UInt8], _ other: [UInt8]) -> Int? {
        let end = min(one.count, other.count)
        let start = stride(from: 0, to: end, by: block).first {
            !one.equals(other, in: $0..<min($0 + block, end))
        }
        guard let start else { return nil }
        return (start..<min(start + block, end)).first { one[$0] != other[$0] }
    }

    private static func lastDifference(_ one: [UInt8], _ other: [UInt8], from first: Int) -> Int {
        let end = min(one.count, other.count)
        let start = stride(from: first, to: end, by: block).reduce(first) { last, start in
            one.equals(other, in: start..<min(start + block, end)) ? last : start
        }
        return (start..<min(start + block, end)).last { one[$0] != other[$0] } ?? first
    }

    private static func open(
        _ context: CaseContext, _ location: String, _ options: [String: OptionValue],
        _ what: String
    ) async throws -> (any SessionStorage)? {
        do {
            return try await context.open(location, options: options)
        } catch let error as StorageError {
            guard error.code == .corrupted else {
                throw Violation("\(what): opening threw .\(error.code.rawValue): \(error.full)")
            }
            return nil
        }
    }
}
