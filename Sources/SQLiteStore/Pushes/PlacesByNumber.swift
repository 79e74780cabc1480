import Deliveries

/// The places of jobs in the queue, in the order of their numbers: sixteen bytes a job, and the free room in chunks.
///
/// Sorted instead of hashed, as a device's jobs are asked for together.
struct PlacesByNumber: Sendable {
    /// The most places in a chunk: each one that comes or goes moves those behind it.
    private static let most = 256

    /// No chunk is empty.
    private var chunks: [[PushTurns.Place]] = []
    /// The first number of each chunk, so that a search touches one chunk.
    private var firsts: [PushJobNumber] = []

    /// Nil if there is no such job.
    func position(of number: PushJobNumber) -> QueuePlace? {
        guard let chunk = chunk(of: number) else { return nil }
        let offset = chunks[chunk].offset(of: number)
        guard offset < chunks[chunk].count, chunks[chunk][offset].number == number else { return nil }
        return chunks[chunk][offset].position
    }

    /// The places with numbers from `first` to `last`, in order.
    func places(from first: PushJobNumber, to last: PushJobNumber) -> [PushTurns.Place] {
        guard first <= last, var chunk = chunk(of: first) else { return [] }
        var places: [PushTurns.Place] = []
        var offset = chunks[chunk].offset(of: first)
        while true {
            if offset == chunks[chunk].count {
                (chunk, offset) = (chunk + 1, 0)
                if chunk == chunks.count { return places }
            }
            let place = chunks[chunk][offset]
            if place.number > last { return places }
            places.append(place)
            offset += 1
        }
    }

    /// Sets where a job stands; nil removes it.
    /// - Returns: where the job stood before; nil if it did not.
    @discardableResult
    mutating func put(_ number: PushJobNumber, at position: QueuePlace?) -> QueuePlace? {
        let chunk = chunk(of: number) ?? 0
        let offset = chunks.isEmpty ? 0 : chunks[chunk].offset(of: number)
        guard !chunks.isEmpty, offset < chunks[chunk].count, chunks[chunk][offset].number == number else {
            if let position { insert(PushTurns.Place(position: position, number: number), chunk, offset) }
            return nil
        }
        let before = chunks[chunk][offset].position
        if let position {
            chunks[chunk][offset] = PushTurns.Place(position: position, number: number)
        } else {
            remove(chunk, offset)
        }
        return before
    }

    /// The chunk that holds the number if any does; nil if there are no chunks.
    private func chunk(of number: PushJobNumber) -> Int? {
        if chunks.isEmpty { return nil }
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle] <= number { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    private mutating func insert(_ place: PushTurns.Place, _ chunk: Int, _ offset: Int) {
        if chunks.isEmpty || (offset == Self.most && chunk == chunks.count - 1) {
            // Numbers that come in order leave full chunks behind.
            chunks.append([place])
            firsts.append(place.number)
            return
        }
        guard chunks[chunk].count == Self.most else {
            chunks[chunk].insert(place, at: offset)
            if offset == 0 { firsts[chunk] = place.number }
            return
        }
        let half = Self.most / 2
        let upper = Array(chunks[chunk][half...])
        chunks[chunk].removeSubrange(half...)
        chunks.insert(upper, at: chunk + 1)
        firsts.insert(upper[0].number, at: chunk + 1)
        if offset > half { insert(place, chunk + 1, offset - half) } else { insert(place, chunk, offset) }
    }

    private mutating func remove(_ chunk: Int, _ offset: Int) {
        chunks[chunk].remove(at: offset)
        let left = chunks[chunk].count
        if left == 0 {
            drop(chunk)
        } else {
            if offset == 0 { firsts[chunk] = chunks[chunk][0].number }
            if left < Self.most / 4 { join(chunk == 0 ? chunk : chunk - 1) }
        }
    }

    /// Joins two neighbouring chunks if there is room left in the result.
    private mutating func join(_ chunk: Int) {
        guard chunk + 1 < chunks.count, chunks[chunk].count + chunks[chunk + 1].count <= Self.most * 3 / 4 else {
            return
        }
        chunks[chunk] += chunks[chunk + 1]
        drop(chunk + 1)
    }

    private mutating func drop(_ chunk: Int) {
        chunks.remove(at: chunk)
        firsts.remove(at: chunk)
    }
}

extension [PushTurns.Place] {
    /// How many places have lower numbers.
    fileprivate func offset(of number: PushJobNumber) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
