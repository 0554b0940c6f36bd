import ChildProcesses
import Foundation
import Synchronization
import TestSupport

/// What a process says, read by a thread of its own so that it never waits for its reader.
final class ProcessOutput: Sendable {
    private let text = Mutex(Text())
    private let news = DispatchSemaphore(value: 0)

    private struct Text {
        var said = ""
        var hasEnded = false
    }

    init(_ descriptor: Descriptor) {
        Thread.detachNewThread { [self] in
            while true {
                let bytes = descriptor.read()
                text.withLock { text in
                    text.said += String(decoding: bytes, as: UTF8.self)
                    text.hasEnded = bytes.isEmpty
                }
                news.signal()
                if bytes.isEmpty { return }
            }
        }
    }

    /// The number behind words that the process says sooner or later; `nil` if it ends without them.
    /// One waits at a time.
    func number(behind words: String) -> UInt16? {
        while true {
            let (said, hasEnded) = text.withLock { ($0.said, $0.hasEnded) }
            if let place = said.range(of: words) {
                let rest = said[place.upperBound...]
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                if digits.endIndex < rest.endIndex { return UInt16(digits) }
            }
            if hasEnded { return nil }
            news.wait()
        }
    }

    var lastLines: String {
        text.withLock(\.said).split(separator: "\n").suffix(3).joined(separator: " / ")
    }
}
