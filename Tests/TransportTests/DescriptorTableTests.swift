import Testing

@testable import Transport

struct DescriptorTableTests {
    @Test func `every descriptor has an element of its own`() {
        var table = DescriptorTable(of: -1)
        let descriptors: [Int32] = [0, 255, 256, 700, 19_999]
        for descriptor in descriptors {
            #expect(!table.contains(descriptor) || table[descriptor] == -1)
            table.makeRoom(for: descriptor)
            table[descriptor] = Int(descriptor)
        }
        // Entries stay when room is made once more.
        for descriptor in descriptors { table.makeRoom(for: descriptor) }
        #expect(descriptors.allSatisfy { table.contains($0) && table[$0] == Int($0) })
        #expect(table.elements.filter { $0 >= 0 } == descriptors.map(Int.init))
        #expect(table[1] == -1)
    }

    @Test func `one high descriptor takes no room for those below`() {
        var table = DescriptorTable(of: 0)
        table.makeRoom(for: 19_999)
        #expect(table.elements.reduce(0) { count, _ in count + 1 } == 256)
        #expect(!table.contains(0) && !table.contains(20_480) && !table.contains(-1))
    }
}
