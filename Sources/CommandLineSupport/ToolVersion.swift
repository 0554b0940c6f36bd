/// The version of all tools of the package.
package enum ToolVersion {
    /// The current number; there is no release yet.
    package static let number = "0.1.0-dev"

    /// Returns `sessionctl 0.1.0-dev`, then one line for each component that the tool was built with.
    ///
    /// - Parameter remark: an additional part of the version, such as `suite revision 2026.1`.
    package static func text(
        _ tool: String, remark: String? = nil, libraries: [String: String] = [:]
    ) -> String {
        let first = "\(tool) \(number)" + (remark.map { " (\($0))" } ?? "")
        let below = libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return ([first, "swift \(swift)"] + below).joined(separator: "\n")
    }

    /// The language version that the tool was compiled with, as far as it can be determined.
    package static var swift: String {
        #if swift(>=6.4)
            "6.4 or newer"
        #elseif swift(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
