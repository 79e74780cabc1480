import Support
import Testing

@testable import WireProtocol

struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:db8::1", "2001:db8::1"),
        ("2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
    ])
    func `an address has one way to be written`(_ text: String, written: String) {
        #expect(IPAddress(text)?.description == written)
        #expect(IPAddress(written) == IPAddress(text))
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "0x1.2.3.4", "1.2.3.-4", "1.2.3.4 ", " 1.2.3.4",
        "1..3.4",
        "1.2.3.4444", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1%eth0",
        "[::1]",
        "1:2:3:4:5:6:7:8::", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::", ":1", "1:", "::ffff:1.2.3.4:80", "localhost",
    ])
    func `a text that is no address is refused`(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test func `any address is read back as it was written`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            // Half of the groups are zero, so that there are runs of them.
            func half() -> UInt64 {
                (0..<4).reduce(0) { bits, _ in
                    bits << 16 | (Bool.random(using: &random) ? 0 : UInt64.random(in: 0...0xFFFF, using: &random))
                }
            }
            let address = IPAddress(high: half(), low: half())
            #expect(IPAddress(address.description) == address)
            let short = IPAddress(v4: .random(in: .min ... .max, using: &random))
            #expect(short.isV4 && IPAddress(short.description) == short)
        }
    }

    @Test func `an IPv6 client is its network of 64 bits, an IPv4 client its address`() throws {
        #expect(IPAddress("2001:db8:1:2:3:4:5:6")?.client == IPAddress("2001:db8:1:2::"))
        #expect(IPAddress("192.0.2.1")?.client == IPAddress("192.0.2.1"))
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3/8", "10.9.9.9", true),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("0.0.0.0/0", "8.8.8.8", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "8.8.8.8", true), ("::1", "::1", true), ("fd00::/8", "fdff::1", true),
        ("fd00::/8", "fe00::1", false), ("2001:db8::/65", "2001:db8:0:0:8000::", false),
        ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
    ])
    func `a network has the addresses that begin as it does`(_ network: String, address: String, isInside: Bool) throws
    {
        let network = try #require(IPNetwork(network))
        #expect(network.contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8", "a/8",
    ])
    func `a text that is no network is refused`(_ text: String) { #expect(IPNetwork(text) == nil) }
}
