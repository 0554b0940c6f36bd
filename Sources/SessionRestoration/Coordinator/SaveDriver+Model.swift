import BrowserModel
import BrowserSessions

/// The connection of the driver to the model.
extension SaveDriver {
    /// Adds the model's content to the records.
    func read(_ records: [CollectedRecord], of partition: StoragePartition) -> [CollectedRecord] {
        var records = records
        for index in records.indices {
            switch records[index].record {
            case .session(let session):
                guard let window = setup.windows.window(session) else { continue }
                records[index].content = .session(window.savedContent)
            case .tab(let id):
                guard let tab = setup.windows.registry[partition].tab(id) else { continue }
                let state = coordinator[partition].needsState(of: id) ? tab.presentState : nil
                let isPlaced = coordinator[partition].hasParent(of: tab.metadata)
                let nodes = isPlaced ? nil : tab.list?.nodes(above: tab)
                records[index].content = .tab(tab.metadata, state, nodes ?? [])
            case .node: break
            }
        }
        return records
    }

    var regular: SavedPartition { SavedPartition(driver: self, partition: .regular) }
    var incognito: SavedPartition { SavedPartition(driver: self, partition: .incognito) }

    func partition(_ partition: StoragePartition) -> SavedPartition {
        SavedPartition(driver: self, partition: partition)
    }
}
