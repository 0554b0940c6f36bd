import BrowserModel
import BrowserSessions
import Expectations
import Foundation

struct TimestampDateTests {
    @Test(arguments: [0, 1, -1, 1_764_086_400_123_456, -11_644_473_600_000_000])
    func aMomentIsADateAndBack(microseconds: Int64) {
        let timestamp = Timestamp(microseconds: microseconds)
        expect(Timestamp(Date(timestamp)), is: timestamp)
    }

    @Test func datesBeyondEveryTimestampBecomeTheFarthest() {
        expect(Timestamp(.distantFuture).microseconds, is: 64_092_211_200_000_000)
        for (seconds, end) in [(1e300, Int64.max), (-.infinity, .min), (.nan, 0)] {
            expect(Timestamp(Date(timeIntervalSince1970: seconds)).microseconds, is: end)
        }
    }
}
