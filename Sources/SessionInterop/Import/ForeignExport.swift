/// The exports of other programs that are recognized by name but not supported.
enum ForeignExport {
    /// Returns the name of the program; `nil` if the value is not from a known one.
    static func program(of root: JSONValue) -> String? {
        if root["application"]?.string == "Session Buddy" { return "Session Buddy" }
        if let format = root["format"]?.string, format.hasPrefix("nxs.json") {
            return "Session Buddy"
        }
        if root["sessionStateTuples"]?.array != nil { return "Firefox for Android (Fenix)" }
        if root["roots"]?["bookmark_bar"] != nil { return "Chromium's bookmarks" }
        if root["lists"]?.array != nil, root["version"]?.integer != nil { return "Toby" }
        if let first = root.array?.first {
            let isManager =
                first["windows"]?.object != nil
                && (first["sessionStartTime"] != nil || first["windowsInfo"] != nil
                    || first["tabsNumber"] != nil)
            if isManager { return "Tab Session Manager" }
        }
        let isManager = root["windows"]?.object != nil && root["windowsInfo"] != nil
        return isManager ? "Tab Session Manager" : nil
    }

    /// Returns the message about such a file.
    static func detail(_ program: String) -> String {
        "it is an export of \(program), which is not read; a list of its links or bookmarks is"
    }
}
