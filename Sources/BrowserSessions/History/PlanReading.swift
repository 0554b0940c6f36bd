/// Reads the message of an encoded plan; see ``RestorePlan/encoded()``.
struct PlanReading {
    private(set) var mode = RestorePlan.Mode.merge
    private(set) var point: RestorePoint?
    private(set) var lines: [RestorePlan.Line] = []
    private(set) var places: [RestorePlan.Place] = []
    private(set) var knownSessions: [SessionID] = []
    private(set) var unreadable: [SessionID] = []

    mutating func read(_ message: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(message)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited):
                guard let mode = RestorePlan.Mode(rawValue: try reader.string()) else {
                    throw WireError(problem: "it has an unknown mode")
                }
                self.mode = mode
            case (2, .lengthDelimited): point = try Self.point(try reader.span())
            case (3, .lengthDelimited): lines.append(try Self.line(try reader.span()))
            case (4, .lengthDelimited): places.append(try Self.place(try reader.span()))
            case (5, .lengthDelimited): knownSessions.append(try Self.session(&reader))
            case (6, .lengthDelimited): unreadable.append(try Self.session(&reader))
            default: _ = try reader.skip(field)
            }
        }
    }

    private static func session(_ reader: inout WireReader) throws(WireError) -> SessionID {
        guard let id = SessionID(try reader.string()) else {
            throw WireError(problem: "it names no session")
        }
        return id
    }

    private static func point(_ message: UnsafeRawBufferPointer) throws(WireError) -> RestorePoint {
        var reader = WireReader(message)
        var point = RestorePoint(id: RestorePointID(rawValue: 0), takenAt: .unknown)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .fixed64):
                point.id.rawValue = UInt64(bitPattern: try reader.fixed64())
            case (2, .fixed64): point.takenAt.microseconds = try reader.fixed64()
            case (3, .lengthDelimited): point.reason = .init(rawValue: try reader.string())
            case (4, .lengthDelimited): point.name = try reader.string()
            case (5, .varint): point.isPinned = try reader.bool()
            case (6, .varint): point.tabCount = Int(try reader.int32())
            case (7, .varint): point.lostTabCount = Int(try reader.int32())
            default: _ = try reader.skip(field)
            }
        }
        return point
    }

    private static func line(_ message: UnsafeRawBufferPointer) throws(WireError)
        -> RestorePlan.Line
    {
        var reader = WireReader(message)
        var (id, action) = (0, RestorePlan.Action?.none)
        var (now, then) = (SessionRecord?.none, SessionRecord?.none)
        var (requires, isStruck, statesDiffer) = ([Int](), false, false)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .varint): id = Int(try reader.int32())
            case (2, .lengthDelimited): action = .init(rawValue: try reader.string())
            case (3, .lengthDelimited): now = try record(try reader.span())
            case (4, .lengthDelimited): then = try record(try reader.span())
            case (5, .varint): requires.append(Int(try reader.int32()))
            case (6, .varint): isStruck = try reader.bool()
            case (7, .varint): statesDiffer = try reader.bool()
            default: _ = try reader.skip(field)
            }
        }
        guard let action else { throw WireError(problem: "line \(id) has an unknown action") }
        var line = RestorePlan.Line(
            id: id, action: action, now: now, then: then, requires: requires)
        (line.isStruck, line.statesDiffer) = (isStruck, statesDiffer)
        return line
    }

    /// The fields that records and places have in common.
    private struct Parts {
        var session: SessionID?
        var item: SessionItem?
        var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

        init(_ message: UnsafeRawBufferPointer) throws(WireError) {
            var reader = WireReader(message)
            while let field = try reader.next() {
                switch (field.number, field.type) {
                case (1, .lengthDelimited): session = try PlanReading.session(&reader)
                case (2, .lengthDelimited): item = .tab(try reader.identifier())
                case (3, .lengthDelimited): item = .node(try reader.identifier())
                case (4, .lengthDelimited): bytes = try reader.span()
                default: _ = try reader.skip(field)
                }
            }
        }
    }

    private static func record(_ message: UnsafeRawBufferPointer) throws(WireError)
        -> SessionRecord
    {
        let parts = try Parts(message)
        guard let session = parts.session else {
            throw WireError(problem: "a record has no session")
        }
        switch parts.item {
        case .tab(let id):
            let tab = try TabMetadata(id: id, payload: parts.bytes)
            return SessionRecord(.tab(tab), in: session)
        case .node(let id):
            let node = try StructureNode(id: id, payload: parts.bytes)
            return SessionRecord(.node(node), in: session)
        case .session, nil:
            let attributes = try SessionAttributes(payload: parts.bytes)
            return SessionRecord(.session(attributes), in: session)
        }
    }

    private static func place(_ message: UnsafeRawBufferPointer) throws(WireError)
        -> RestorePlan.Place
    {
        let parts = try Parts(message)
        guard let session = parts.session, let item = parts.item, OrderKey.isLegal(parts.bytes)
        else { throw WireError(problem: "a place is incomplete") }
        return RestorePlan.Place(
            item: item, session: session, place: OrderKey(trusted: parts.bytes))
    }
}
