import BrowserSessions
import CommandLineSupport

/// The progress, speed, and remaining time of long work, shown in one line of a terminal. Nothing
/// is shown elsewhere.
final class Progress {
    private let label: String
    private let noun: String
    private let stream: Stream
    private let start: Duration
    private var lastShown: Duration?
    private var isShown = false

    /// The stream of the line, and the clock.
    struct Stream {
        var isTerminal: Bool
        /// Returns the time since a fixed moment.
        var now: () -> Duration
        var write: (String) -> Void

        /// Standard error and the machine's clock.
        static var standard: Stream {
            let start = ContinuousClock.now
            return Stream(
                isTerminal: StandardStream.messages.isTerminal && !ConsoleStyle.current.isQuiet,
                now: { ContinuousClock.now - start },
                write: { try? StandardStream.messages.write($0) })
        }
    }

    /// The minimum time between two changes of the line.
    private static let interval = Duration.milliseconds(100)
    /// The time after which the end of the work can be estimated.
    private static let trustedTime = Duration.seconds(1)

    /// - Parameters:
    ///   - label: the work: `reading`.
    ///   - noun: the counted thing, in the singular: `tab`.
    init(_ label: String, _ noun: String, on stream: Stream = .standard) {
        self.label = label
        self.noun = noun
        self.stream = stream
        start = stream.now()
    }

    /// - Parameter total: the total number; `nil` if it is unknown.
    func update(_ done: Int, of total: Int? = nil) {
        guard stream.isTerminal else { return }
        let now = stream.now()
        if let lastShown, now - lastShown < Self.interval { return }
        lastShown = now
        isShown = true
        stream.write("\r\u{1B}[K\(words(done, total, now - start))")
    }

    /// Removes the line.
    func finish() {
        if isShown { stream.write("\r\u{1B}[K") }
        isShown = false
    }

    private func words(_ done: Int, _ total: Int?, _ time: Duration) -> String {
        var words = "\(label) "
        if let total {
            let percent = total > 0 ? min(done, total) * 100 / total : 100
            words += "\(percent) %, \(done) of \(counted(total, noun))"
        } else {
            words += counted(done, noun)
        }
        guard time >= Self.trustedTime, done > 0 else { return words }
        let rate = Double(done) / (time / .seconds(1))
        words += rate < 10 ? ", \(Int(rate * 60)) a minute" : ", \(Int(rate)) a second"
        if let total, done < total {
            words += ", \(Self.words(for: Double(total - done) / rate)) left"
        }
        return words
    }

    /// Returns `less than a second`, `about 5 s`, `about 3 min`, or `about 2 h`.
    private static func words(for seconds: Double) -> String {
        switch seconds {
        case ..<1: "less than a second"
        case ..<100: "about \(Int(seconds.rounded())) s"
        case ..<6000: "about \(Int((seconds / 60).rounded())) min"
        default: "about \(Int((min(seconds, 1e9) / 3600).rounded())) h"
        }
    }
}
