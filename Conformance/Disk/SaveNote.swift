import CDisk

/// A note in the trace, between the calls of a process that saves numbered sets.
enum SaveNote: Hashable, Sendable {
    /// The process has opened the store and found the sets up to one.
    case opened(found: Int)
    case begun(Int)
    /// The sets up to this one are acknowledged.
    case acknowledged(Int, isDurable: Bool)

    init(code: UInt64) {
        let number = Int(code >> 2)
        self =
            switch code & 3 {
            case 0: .opened(found: number)
            case 1: .begun(number)
            case 2: .acknowledged(number, isDurable: false)
            default: .acknowledged(number, isDurable: true)
            }
    }

    /// Adds the note to the trace of this process.
    func tell() { disk_note(code) }

    var code: UInt64 {
        switch self {
        case .opened(let number): UInt64(number) << 2
        case .begun(let number): UInt64(number) << 2 | 1
        case .acknowledged(let number, let isDurable): UInt64(number) << 2 | (isDurable ? 3 : 2)
        }
    }
}

/// The progress of a process that saves numbered sets.
struct SaveProgress: Hashable, Sendable {
    /// The last set that was begun.
    private(set) var begun = 0
    /// The sets up to this one must survive a kill.
    private(set) var acknowledged = 0
    /// The sets up to this one must survive a power cut.
    private(set) var certain = 0

    /// Updates the progress. What an opening found is not certain to survive a power cut: its
    /// process may have been killed before a sync. But it must not be lost any more without a cut.
    mutating func note(_ note: SaveNote) {
        switch note {
        case .opened(let number): (begun, acknowledged) = (number, number)
        case .begun(let number): begun = number
        case .acknowledged(let number, let isDurable):
            acknowledged = number
            if isDurable { certain = number }
        }
    }

    /// Records that the set after the acknowledged ones cannot be there, because the store has
    /// reported each time that it was not applied.
    mutating func noteRefusal() { begun = acknowledged }

    mutating func losePower() { acknowledged = certain }
}
