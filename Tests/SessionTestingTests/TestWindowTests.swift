import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@Suite("windows of tests")
struct TestWindowTests {
    @Test("the windows of Firefox's tests have their identifiers, and only a sentinel is refused")
    func identifiers() throws {
        expect("\(WindowID.unitTests)", is: "D9D9D9D9-D9D9-D9D9-D9D9-CD68A019860B")
        expect("\(WindowID.uiTests)", is: "44BA0B7D-097A-484D-8358-91A6E374451D")
        expect(try WindowManager().reserve(.unitTests).id == .unitTests)
        let manager = WindowManager(sentinels: [.unavailable, .profileWide, .unitTests])
        expect(throws: WindowIDError.sentinel(.unitTests)) { try manager.reserve(.unitTests) }
        expect(try manager.reserve(.uiTests).id == .uiTests)
    }
}
