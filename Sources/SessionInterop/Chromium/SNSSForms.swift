/// The two kinds of session logs. They share the container, and use the same commands differently.
enum SNSSKind: String {
    /// Open windows and tabs.
    case session
    /// Closed windows and tabs that can be reopened.
    case tabs
}

/// The forms of payloads. They distinguish the two kinds of logs, and true records from chance.
///
/// Payloads are structs of the program that wrote them, or pickles, which begin with their own
/// size. Programs for 32-bit x86 align 64-bit numbers to four bytes. Structs with such a number
/// after an odd count of 32-bit ones are therefore four or eight bytes shorter there.
enum SNSSForms {
    enum Form {
        /// A payload of one of these sizes.
        case sizes(Set<Int>)
        case pickle
        /// A payload with unknown content.
        case any

        func fits(_ payload: ArraySlice<UInt8>) -> Bool {
            switch self {
            case .sizes(let sizes): return sizes.contains(payload.count)
            case .any: return true
            case .pickle:
                var reader = ByteReader(payload)
                return reader.integer(UInt32.self).map(Int.init) == payload.count - 4
            }
        }
    }

    private static let marker: [UInt8: Form] = [SNSSFile.markerCommand: .sizes([0])]

    private static let session: [UInt8: Form] = [
        0: .sizes([8]), 1: .any, 2: .sizes([8]), 3: .any, 4: .any, 5: .sizes([8]), 6: .pickle,
        7: .sizes([8]), 8: .sizes([8]), 9: .sizes([8]), 10: .sizes([24]), 11: .sizes([8]),
        12: .sizes([8]), 13: .pickle, 14: .sizes([24]), 15: .pickle, 16: .sizes([12, 16]),
        17: .sizes([12, 16]), 18: .pickle, 19: .pickle, 20: .sizes([4]), 21: .sizes([12, 16]),
        22: .any, 23: .pickle, 24: .sizes([12]), 25: .sizes([24, 32]), 26: .any, 27: .pickle,
        28: .pickle, 29: .pickle, 30: .pickle, 31: .pickle, 32: .sizes([8]), 33: .pickle,
        34: .pickle,
    ].merging(marker) { $1 }

    private static let tabs: [UInt8: Form] = [
        1: .pickle, 2: .sizes([4]), 3: .sizes([12, 20, 24]), 4: .sizes([8, 16]), 5: .sizes([1]),
        6: .pickle, 7: .pickle, 8: .pickle, 9: .pickle, 10: .pickle, 11: .pickle, 12: .pickle,
        13: .pickle, 14: .pickle, 15: .pickle, 16: .pickle,
    ].merging(marker) { $1 }

    /// Returns the form of a command; `nil` if no such command is known for this kind of log.
    static func form(of command: UInt8, in kind: SNSSKind) -> Form? {
        switch kind {
        case .session: session[command]
        case .tabs: tabs[command]
        }
    }

    /// Returns whether a record fits a log of this kind; `false` for one with unknown content.
    static func fits(_ record: SNSSFile.Record, in kind: SNSSKind) -> Bool {
        guard let form = form(of: record.command, in: kind) else { return false }
        if case .any = form { return false }
        return form.fits(record.payload)
    }
}
