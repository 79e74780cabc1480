/// Where jobs stand in the queue, in the order of their numbers: sixteen bytes a job, and what rooms that are not full
/// leave free.
///
/// Sorted, and not hashed, as a device's jobs are asked for together.
struct PlacesByNumber: Sendable {
    /// So many places lie behind one another at most: each that comes or goes moves those behind it.
    private static let most = 256

    /// None is empty.
    private var chunks: [[PushTurns.Place]] = []
    /// The first number of each, so that a search touches one chunk.
    private var firsts: [PushJobNumber] = []

    /// Nil if there is no such job.
    func position(of number: PushJobNumber) -> QueuePlace? {
        guard let chunk = chunk(of: number) else { return nil }
        let offset = chunks[chunk].offset(of: number)
        guard offset < chunks[chunk].count, chunks[chunk][offset].number == number else { return nil }
        return chunks[chunk][offset].position
    }

    /// Those with the numbers from `first` to `last`, in their order.
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

    /// From here on the job stands there, or nowhere.
    /// - Returns: where it stood; nil if nowhere.
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

    /// The chunk in which the number is, if it is anywhere; nil without any.
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
            // What comes in the order of numbers leaves full chunks behind.
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

    /// Makes one chunk of two neighbours, if it has room for more then.
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
    /// How many have lower numbers, in the order of numbers.
    fileprivate func offset(of number: PushJobNumber) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
