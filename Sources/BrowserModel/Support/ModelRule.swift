/// A rule that only a programming error breaks.
///
/// A violation stops a debug build with the rule's text. In a release build the call does nothing,
/// or throws if it can.
package enum ModelRule: String, Sendable {
    /// The rule that the observers and the delegate of a list do not change it while notified.
    case notReentrant =
        "A tab list must not be changed while its observers and its delegate are notified."
    /// The rule that no batch of a list begins while its observers are notified.
    case batchesEnd =
        "A batch of a tab list must not begin while its observers are notified."
    /// The rule that ``Tab/close()`` is only for a tab that is not in a list.
    case listsCloseTheirTabs =
        "A tab that is in a list must be closed through its list, or detached before."

    func wasBroken(file: StaticString = #fileID, line: UInt = #line) {
        assertionFailure("Rule broken: \(rawValue)", file: file, line: line)
    }
}
