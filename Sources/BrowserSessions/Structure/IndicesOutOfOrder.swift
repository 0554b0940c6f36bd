extension Sequence<Int> {
    /// The indices of the elements outside one longest ascending subsequence.
    package func indicesOutOfOrder() -> Set<Int> {
        let values = Array(self)
        // The index of the last element of the best subsequence of each length.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var outside = Set(values.indices)
        var next = ends.last ?? -1
        while next >= 0 {
            outside.remove(next)
            next = previous[next]
        }
        return outside
    }
}
