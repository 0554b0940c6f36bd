// A plan as a file.
//
// ```text
// plan    := "restore plan 1\n" message hash:u64          (little-endian)
// message := mode:1 point:2? line:3* place:4* session:5* unreadable:6*      in the protobuf wire format
// point   := number:1 takenAt:2 reason:3 name:4 isPinned:5 tabs:6 lostTabs:7
// line    := id:1 action:2 now:3? then:4? requires:5* isStruck:6
// record  := session:1 (tab:2 | node:3)? payload:4        payload as in records.proto
// place   := session:1 (tab:2 | node:3) key:4
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
        writer.string(1, mode.rawValue)
        if let point { writer.message(2) { point.encode(to: &$0) } }
        for line in lines { writer.message(3) { line.encode(to: &$0) } }
        for place in places { writer.message(4) { place.encode(to: &$0) } }
        for session in knownSessions { writer.string(5, session.description) }
        for session in unreadable { writer.string(6, session.description) }
        let hash = Self.hash(writer.bytes[...])
        withUnsafeBytes(of: hash.littleEndian) { writer.bytes.append(contentsOf: $0) }
        return writer.bytes
    }

    /// Reads ``encoded()``.
    ///
    /// Throws ``StorageError/Code/incompatibleFormat`` if the bytes are no plan or one of a newer version,
    /// and ``StorageError/Code/corrupted`` if they are damaged, or the plan would do what none may.
    public init(encoded bytes: [UInt8]) throws(StorageError) {
        let start = try Self.startOfMessage(in: bytes)
        let end = bytes.count - 8
        guard end >= start else { throw Self.damaged("it is cut off") }
        let stored = bytes[end...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard stored == Self.hash(bytes[..<end]) else {
            throw Self.damaged("it does not match its checksum")
        }
        var reading = PlanReading()
        do {
            try bytes[start..<end].withUnsafeBytes { try reading.read($0) }
        } catch {
            throw Self.damaged((error as? WireError)?.problem ?? "it cannot be read")
        }
        self.init(
            point: reading.point, mode: reading.mode, unreadable: reading.unreadable,
            lines: reading.lines, places: reading.places, knownSessions: reading.knownSessions)
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

    fileprivate func encode(to writer: inout WireWriter) {
        writer.int32(1, Int32(clamping: id))
        writer.string(2, action.rawValue)
        if let now { writer.message(3) { now.encode(to: &$0) } }
        if let then { writer.message(4) { then.encode(to: &$0) } }
        for id in requires { writer.int32(5, Int32(clamping: id)) }
        writer.bool(6, isStruck)
        writer.bool(7, statesDiffer)
    }
}

extension RestorePoint {
    fileprivate func encode(to writer: inout WireWriter) {
        writer.fixed64(1, Int64(bitPattern: id.rawValue))
        writer.fixed64(2, takenAt.microseconds)
        writer.string(3, reason.rawValue)
        writer.string(4, name)
        writer.bool(5, isPinned)
        writer.int32(6, Int32(clamping: tabCount))
        writer.int32(7, Int32(clamping: lostTabCount))
    }
}

extension SessionItem {
    fileprivate func encode(to writer: inout WireWriter) {
        switch self {
        case .session: break
        case .tab(let id): writer.identifier(2, id)
        case .node(let id): writer.identifier(3, id)
        }
    }
}

extension SessionRecord {
    fileprivate func encode(to writer: inout WireWriter) {
        writer.string(1, session.description)
        item.encode(to: &writer)
        writer.bytes(4, payload)
    }
}

extension RestorePlan.Place {
    fileprivate func encode(to writer: inout WireWriter) {
        writer.string(1, session.description)
        item.encode(to: &writer)
        writer.order(4, place)
    }
}
