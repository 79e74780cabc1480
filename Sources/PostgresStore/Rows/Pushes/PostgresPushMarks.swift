import Deliveries
import Postgres
import Push

/// Marks of the pushes that devices show: the table `push_mark`, with all marks of a device in one row.
final class PostgresPushMarks: PostgresPart, PushMarkRows {
    /// Holds the row's lock: what is written later is made of what was read, and others add marks.
    func marks(device: Int64) throws -> [PushMark] {
        let found = try connection.run("SELECT marks FROM push_mark WHERE device = $1 FOR UPDATE", [.int64(device)])
        guard let row = found.first else { return [] }
        if let marks = [PushMark](bytes: try row.bytes(0), of: rows.providers) { return marks }
        try delete(device: device)
        return []
    }

    func add(_ marks: [PushMark], device: Int64) throws {
        if marks.isEmpty { return }
        try append([device: marks.bytes])
    }

    func add(_ marks: [(device: Int64, mark: PushMark)]) throws {
        var bytes: [Int64: [UInt8]] = [:]
        for one in marks { one.mark.append(to: &bytes[one.device, default: []]) }
        if !bytes.isEmpty { try append(bytes) }
    }

    private func append(_ bytes: [Int64: [UInt8]]) throws {
        // Ordered, so that two that add marks to the same devices do not wait for each other.
        let devices = bytes.keys.sorted()
        try connection.queue(
            """
            INSERT INTO push_mark (device, marks) SELECT * FROM unnest($1, $2)
            ON CONFLICT (device) DO UPDATE SET marks = push_mark.marks || excluded.marks
            """, [.int64s(devices), .byteArrays(devices.map { bytes[$0] })])
    }

    func write(_ marks: [PushMark], device: Int64) throws {
        if marks.isEmpty { return try delete(device: device) }
        try connection.queue(
            """
            INSERT INTO push_mark (device, marks) VALUES ($1, $2)
            ON CONFLICT (device) DO UPDATE SET marks = excluded.marks
            """, [.int64(device), .bytes(marks.bytes)])
    }

    private func delete(device: Int64) throws {
        try connection.queue("DELETE FROM push_mark WHERE device = $1", [.int64(device)])
    }
}
