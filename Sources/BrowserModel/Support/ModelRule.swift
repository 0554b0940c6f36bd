/// A rule that only a programming error breaks.
///
/// Breaking one stops a debug build with the rule's words. In a release build the call that broke
/// it does nothing, or throws where it can throw.
public enum ModelRule: String, Sendable {
    case notReentrant =
        "A tab list must not be changed while its observers and its delegate are told of a change."
    case batchesEnd =
        "A batch of a tab list must not begin while its observers are told of a change."
    case listsCloseTheirTabs =
        "A tab that is in a list must be closed through its list, or detached before."

    func wasBroken(file: StaticString = #fileID, line: UInt = #line) {
        assertionFailure("Rule broken: \(rawValue)", file: file, line: line)
    }
}
