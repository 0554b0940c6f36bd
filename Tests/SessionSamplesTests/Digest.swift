import BrowserSessions

/// FNV-1a over every field of a sample, in a fixed order.
struct Digest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        value = (value ^ 0xFF) &* 0x100_0000_01B3
    }

    mutating func add(_ text: String) { add(text.utf8) }

    mutating func add(_ properties: [String: String]) {
        for (key, value) in properties.sorted(by: { $0.key < $1.key }) { add(key + "=" + value) }
    }

    mutating func add(_ session: SessionSnapshot) {
        let attributes = session.attributes
        add("\(session.id) \(attributes.title) \(attributes.activeTab?.description ?? "")")
        add("\(attributes.createdAt.microseconds) \(attributes.lastActiveAt.microseconds)")
        add(attributes.properties)
        for group in session.nodes {
            add("\(group.id) \(group.name) \(group.color.rawValue) \(group.isCollapsed)")
        }
        for tab in session.tabs { add(tab) }
    }

    private mutating func add(_ tab: TabSnapshot) {
        let data = tab.metadata
        add("\(data.id) \(data.place) \(data.url) \(data.title) \(data.faviconURL)")
        add("\(data.createdAt.microseconds) \(data.lastActiveAt.microseconds)")
        add("\(data.navigationItemCount) \(data.isPinned) \(data.group?.description ?? "")")
        add("\(data.opener?.tab.description ?? "") \(data.opener?.navigationIndex ?? -1)")
        add(data.properties)
        for (name, bytes) in tab.states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            add(name.rawValue)
            add(bytes)
        }
    }
}
