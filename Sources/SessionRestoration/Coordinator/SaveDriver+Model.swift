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
                records[index].session = setup.windows.window(session)?.savedContent
            case .tab(let id):
                guard let tab = setup.windows.registry[partition].tab(id) else { continue }
                let needsState = coordinator[partition].needsState(of: id)
                let isPlaced = coordinator[partition].hasParent(of: tab.metadata)
                records[index].tab = tab.metadata
                records[index].state = needsState ? tab.presentState : nil
                records[index].nodes = isPlaced ? [] : tab.list?.nodes(above: tab) ?? []
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
