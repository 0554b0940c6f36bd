// Message `KeptGeneration` of records.proto.

import BrowserSessions

extension KeptGeneration: WireMessage {
    var encodedCapacity: Int { 18 }

    func encode(to writer: inout WireWriter) {
        writer.fixed64(1, Int64(bitPattern: id.rawValue))
        writer.fixed64(2, takenAt.microseconds)
    }

    init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(id: GenerationID(rawValue: 0), takenAt: .unknown)
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .fixed64):
                id = GenerationID(rawValue: UInt64(bitPattern: try reader.fixed64()))
            case (2, .fixed64): takenAt = Timestamp(microseconds: try reader.fixed64())
            default: _ = try reader.skip(field)
            }
        }
    }
}
