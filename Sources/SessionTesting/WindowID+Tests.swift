public import BrowserSessions

extension Identifier where Subject == WindowSubject {
    /// The window of a unit test that needs one and does not care which. The value is that of
    /// Firefox's `XCTestDefaultUUID`, easy to recognize in logs.
    ///
    /// No app opens it. An app that wants to be sure passes it to its `WindowManager` as a sentinel.
    public static let unitTests = WindowID(
        high: 0xD9D9_D9D9_D9D9_D9D9, low: 0xD9D9_CD68_A019_860B)

    /// The window of an app under a UI test. The value is that of Firefox's `DefaultUITestingUUID`.
    ///
    /// It is an ordinary window, not a sentinel: Firefox used this value for its only window before
    /// it had several, so imported files contain it.
    public static let uiTests = WindowID(
        high: 0x44BA_0B7D_097A_484D, low: 0x8358_91A6_E374_451D)
}
