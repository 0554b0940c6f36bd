public import BrowserSessions

// A plan as a file.
//
// ```text
// plan := "restore plan 1\n" message hash:u64          (little-endian)
// ```
// The hash is FNV-1a over everything before it: it finds accidents. What a plan may do is checked when it is
// read, and again when it is applied.

extension RestorePlan {
    static let magic = Array("restore plan ".utf8)
    static let version: UInt8 = 1

    /// Returns the plan as bytes, for a file.
    public func encoded() -> [UInt8] {
        var writer = WireWriter()
        writer.bytes = Self.magic + Array("\(Self.version)\n".utf8)
        PlanMessage(self).encode(to: &writer)
        let hash = Self.hash(writer.bytes[...])
        withUnsafeBytes(of: hash.littleEndian) { writer.bytes.append(contentsOf: $0) }
        return writer.bytes
    }

    /// Reads ``encoded()``.
    ///
    /// Throws `StorageError.Code.incompatibleFormat` if the bytes are no plan or one of a newer version,
    /// and `StorageError.Code.corrupted` if they are damaged, or the plan would do what none may.
    public init(encoded bytes: [UInt8]) throws(StorageError) {
        let start = try Self.startOfMessage(in: bytes)
        let end = bytes.count - 8
        guard end >= start else { throw Self.damaged("it is cut off") }
        let stored = bytes[end...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard stored == Self.hash(bytes[..<end]) else {
            throw Self.damaged("it does not match its checksum")
        }
        do {
            self = try bytes[start..<end].withUnsafeBytes { try PlanMessage(payload: $0).plan() }
        } catch {
            throw Self.damaged((error as? WireError)?.problem ?? "it cannot be read")
        }
        if let problem { throw Self.damaged(problem) }
    }

    private static func startOfMessage(in bytes: [UInt8]) throws(StorageError) -> Int {
        guard bytes.starts(with: magic),
            let end = bytes.prefix(magic.count + 8).firstIndex(of: UInt8(ascii: "\n"))
        else {
            throw StorageError(
                .incompatibleFormat, "the file is no restore plan", operation: "read plan")
        }
        let number = String(decoding: bytes[magic.count..<end], as: UTF8.self)
        guard number == "\(version)" else {
            throw StorageError(
                .incompatibleFormat,
                "the restore plan has version \(number.inOneLine); this program reads \(version)",
                operation: "read plan")
        }
        return end + 1
    }

    private static func damaged(_ problem: String) -> StorageError {
        StorageError(
            .corrupted, "the restore plan is damaged: \(problem); make a new one",
            operation: "read plan")
    }

    static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// What is wrong with a plan that was read; `nil` if nothing is.
    private var problem: String? {
        var ids: Set<Line.ID> = []
        for line in lines {
            guard ids.insert(line.id).inserted else { return "two lines have number \(line.id)" }
            if let problem = line.problem(in: mode) { return "line \(line.id) \(problem)" }
        }
        for line in lines where !line.requires.allSatisfy(ids.contains) {
            return "line \(line.id) needs one that is not there"
        }
        return places.allSatisfy(\.session.keepsHistory) ? nil : "a place is in a private session"
    }
}

extension RestorePlan.Line {
    fileprivate func problem(in mode: RestorePlan.Mode) -> String? {
        if id <= 0 { return "has no number" }
        let hasSides =
            switch action {
            case .add: now == nil && then != nil
            case .remove: now != nil && then == nil
            case .change, .moveBack: now != nil && then != nil
            }
        guard hasSides else { return "does not say what it does" }
        if mode == .merge, action == .remove { return "removes something, and the plan merges" }
        if let now, let then, now.item != then.item { return "is about two things" }
        for record in [now, then].compactMap(\.self) where !record.session.keepsHistory {
            return "is about a session without a history"
        }
        return nil
    }
}

// MARK: - The message

/// A plan, in the protobuf wire format.
private struct PlanMessage: WireRecord {
    var mode = ""
    var point: PointMessage?
    var lines: [LineMessage] = []
    var places: [RecordMessage] = []
    var knownSessions: [String] = []
    var unreadable: [String] = []

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(1, &mode)
        try visitor.record(2, &point)
        try visitor.records(3, &lines)
        try visitor.records(4, &places)
        try visitor.texts(5, &knownSessions)
        try visitor.texts(6, &unreadable)
    }

    init() {}

    init(_ plan: RestorePlan) {
        mode = plan.mode.rawValue
        point = plan.point.map { PointMessage(point: $0) }
        lines = plan.lines.map { LineMessage($0) }
        places = plan.places.map { RecordMessage($0.item, in: $0.session, $0.place.bytes) }
        knownSessions = plan.knownSessions.map(\.description)
        unreadable = plan.unreadable.map(\.description)
    }

    func plan() throws(WireError) -> RestorePlan {
        guard let mode = RestorePlan.Mode(rawValue: mode) else {
            throw WireError(problem: "it has an unknown mode")
        }
        return RestorePlan(
            point: point?.point, mode: mode, unreadable: try Self.sessions(unreadable),
            lines: try lines.map { (line) throws(WireError) in try line.line() },
            places: try places.map { (place) throws(WireError) in try place.place() },
            knownSessions: try Self.sessions(knownSessions))
    }

    private static func sessions(_ names: [String]) throws(WireError) -> [SessionID] {
        try names.map { (name) throws(WireError) in
            guard let id = SessionID(name) else {
                throw WireError(problem: "it names no session")
            }
            return id
        }
    }
}

private struct PointMessage: WireRecord {
    var point = RestorePoint(id: RestorePointID(rawValue: 0), takenAt: .unknown)

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        var number = Int64(bitPattern: point.id.rawValue)
        try visitor.fixed(1, &number)
        point.id.rawValue = UInt64(bitPattern: number)
        try visitor.fixed(2, &point.takenAt.microseconds)
        try visitor.text(3, &point.reason.rawValue)
        try visitor.text(4, &point.name)
        try visitor.flag(5, &point.isPinned)
        try visitor.number(6, &point.tabCount)
        try visitor.number(7, &point.lostTabCount)
    }
}

private struct LineMessage: WireRecord {
    var id = 0
    var action = ""
    var now: RecordMessage?
    var then: RecordMessage?
    var requires: [Int] = []
    var isStruck = false
    var statesDiffer = false

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.number(1, &id)
        try visitor.text(2, &action)
        try visitor.record(3, &now)
        try visitor.record(4, &then)
        try visitor.numbers(5, &requires)
        try visitor.flag(6, &isStruck)
        try visitor.flag(7, &statesDiffer)
    }

    init() {}

    init(_ line: RestorePlan.Line) {
        (id, action, requires) = (line.id, line.action.rawValue, line.requires)
        now = line.now.map { RecordMessage($0.item, in: $0.session, $0.encodedPayload()) }
        then = line.then.map { RecordMessage($0.item, in: $0.session, $0.encodedPayload()) }
        (isStruck, statesDiffer) = (line.isStruck, line.statesDiffer)
    }

    func line() throws(WireError) -> RestorePlan.Line {
        guard let action = RestorePlan.Action(rawValue: action) else {
            throw WireError(problem: "line \(id) has an unknown action")
        }
        var line = RestorePlan.Line(
            id: id, action: action, now: try now?.record(), then: try then?.record(),
            requires: requires)
        (line.isStruck, line.statesDiffer) = (isStruck, statesDiffer)
        return line
    }
}

/// A record with its payload as in records.proto, or an item with its order key.
private struct RecordMessage: WireRecord {
    var session: SessionID?
    var tab: TabID?
    var node: NodeID?
    var bytes: [UInt8] = []

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.session(1, &session)
        try visitor.identifier(2, &tab)
        try visitor.identifier(3, &node)
        try visitor.bytes(4, &bytes)
    }

    init() {}

    init(_ item: SessionItem, in session: SessionID, _ bytes: [UInt8]) {
        (self.session, self.bytes) = (session, bytes)
        switch item {
        case .session: break
        case .tab(let id): tab = id
        case .node(let id): node = id
        }
    }

    private func item() throws(WireError) -> (SessionItem, SessionID) {
        guard let session else { throw WireError(problem: "a record has no session") }
        return (tab.map { .tab($0) } ?? node.map { .node($0) } ?? .session(session), session)
    }

    func record() throws(WireError) -> SessionRecord {
        let (item, session) = try item()
        do {
            return try bytes.withUnsafeBytes { try SessionRecord(item, in: session, payload: $0) }
        } catch {
            throw error as? WireError ?? WireError(problem: "a record cannot be read")
        }
    }

    func place() throws(WireError) -> RestorePlan.Place {
        let (item, session) = try item()
        guard item.nodeID != nil, let place = OrderKey(bytes: bytes) else {
            throw WireError(problem: "a place is incomplete")
        }
        return RestorePlan.Place(item: item, session: session, place: place)
    }
}
