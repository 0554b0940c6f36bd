import BrowserSessions

/// Writes every other set without a commit id only at the next call.
struct HoldsOtherSaveBack: StorageDecorator {
    let base: any SessionStorage
    private let memory = FaultMemory(Memory())

    init(base: any SessionStorage) { self.base = base }

    func perform<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
    {
        if let held = memory.use({ $0.release() }) {
            let receipt = try await held.perform(on: base)
            memory.use { $0.note(held, receipt) }
        }
        if let save = request as? SaveRequest, let receipt = memory.use({ $0.hold(save) }),
            let answer = receipt as? Request.Answer
        {
            return answer
        }
        let answer = try await request.perform(on: base)
        memory.use { $0.note(request, answer) }
        return answer
    }

    private struct Memory: Sendable {
        private var count = 0
        private var sequences: [StoragePartition: UInt64] = [:]
        private var held: SaveRequest?

        /// Returns the save that was acknowledged and not made.
        mutating func release() -> SaveRequest? {
            defer { held = nil }
            return held
        }

        /// Keeps every other set for later, and acknowledges it.
        mutating func hold(_ save: SaveRequest) -> SaveReceipt? {
            let changes = save.changes
            guard !changes.isEmpty, changes.commitID == nil, changes.expectedSequence == nil,
                let last = sequences[changes.partition]
            else { return nil }
            count += 1
            guard count.isMultiple(of: 2) else { return nil }
            held = save
            return SaveReceipt(sequence: last + 1, durability: save.durability)
        }

        /// Notes the number of a set, or forgets numbers that may change.
        mutating func note(_ request: any StorageRequest, _ answer: Any) {
            switch (request, answer) {
            case (let save as SaveRequest, let receipt as SaveReceipt):
                if !save.changes.isEmpty {
                    sequences[save.changes.partition] = receipt.sequence
                }
            case (is DeleteIncognitoRequest, _): sequences[.incognito] = nil
            case (is CheckRequest, _): sequences = [:]
            default: break
            }
        }
    }
}
