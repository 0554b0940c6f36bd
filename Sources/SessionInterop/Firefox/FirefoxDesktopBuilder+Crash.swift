import BrowserSessions

extension FirefoxDesktopBuilder {
    /// The maximum depth of crash pages within the sessions of crash pages.
    static let deepestCrashPage = 16

    /// A page that offers a session after a crash, with that session in its form.
    struct CrashPage {
        var session: JSONValue
        var location: String
        var isPrivate: Bool
        var depth: Int
    }

    /// Takes a crash page out of its window. The tabs of its session are set aside, because the
    /// user has not restored them. Returns whether the tab has nothing else, so that it is left out.
    mutating func takeCrashPage(_ item: JSONValue, _ location: String, isPrivate: Bool) -> Bool {
        let entries = item["entries"]?.array ?? []
        guard let last = entries.last, entries.contains(where: Self.isCrashPage) else {
            return false
        }
        let index = Int(clamping: (item["index"]?.integer ?? Int64(entries.count)) - 1)
        let shown = entries.indices.contains(index) ? entries[index] : last
        guard Self.isCrashPage(shown) else { return false }
        let forms = [item["formdata"], shown["formdata"]].compactMap(\.self)
        guard let session = forms.lazy.compactMap({ Self.session(in: $0, depth: 0) }).first else {
            reading.log.note(
                at: location, "a page that offers a session after a crash has none in its form")
            return false
        }
        guard crashDepth < Self.deepestCrashPage else {
            reading.log.loss(at: location, "sessions within sessions are nested too deep")
            return false
        }
        reading.log.repair(
            at: location, "the session that this page offers after a crash is set aside")
        crashPages.append(
            CrashPage(
                session: session, location: location + ".formdata", isPrivate: isPrivate,
                depth: crashDepth + 1))
        // The tab stays if it has other pages to go back to.
        return entries.allSatisfy(Self.isCrashPage)
    }

    private static func isCrashPage(_ entry: JSONValue) -> Bool {
        let url = entry["url"]?.string ?? ""
        return ["about:sessionrestore", "about:welcomeback"].contains {
            url.prefix { $0 != "?" && $0 != "#" } == $0
        }
    }

    /// Returns the session in a form: an object or its text, under the name of the field.
    private static func session(in form: JSONValue, depth: Int) -> JSONValue? {
        guard depth < 4, let members = form.object else { return nil }
        for name in ["sessionData", "#sessionData"] {
            guard let value = members[name] else { continue }
            let session = value.string.flatMap { JSONParser.parse(Array($0.utf8)).value } ?? value
            if session["windows"]?.array != nil { return session }
        }
        let inner = members.sorted { $0.key < $1.key }
        return inner.lazy.compactMap { session(in: $0.value, depth: depth + 1) }.first
    }

    /// Reads the sessions of crash pages, and of the crash pages in these sessions.
    mutating func readCrashPages() {
        while !crashPages.isEmpty {
            let page = crashPages.removeFirst()
            crashDepth = page.depth
            let place = page.location + "."
            readWindows(
                "windows", of: page.session, at: place, isPrivate: page.isPrivate, as: .setAside)
            readWindows(
                "_closedWindows", of: page.session, at: place, isPrivate: page.isPrivate,
                isClosed: true)
        }
    }
}
