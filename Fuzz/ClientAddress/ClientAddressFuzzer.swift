import Glibc

@testable import WireProtocol

/// Who the client is behind proxies, and the addresses that say so.
///
/// The first line names trusted proxies, each other line is one `X-Forwarded-For`.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzClientAddress(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: FuzzInput(start, count).bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { for word in line.split(whereSeparator: { ", ".contains($0) }) { judgeAddress(String(word)) } }
    let entries = lines[0].split(separator: " ").map(String.init)
    if let proxies = try? TrustedProxies(entries) { judge(proxies, lines.dropFirst().map(String.init)) }
    return 0
}

private func judge(_ proxies: TrustedProxies, _ values: [String]) {
    let named = client(behind: proxies, values)
    claimEqual(client(behind: proxies, [values.joined(separator: ",")]), named, "two lines differ from one list")
    // Whoever is further away may write what they like, and must not be believed.
    if let named, !proxies.trusts(named) {
        claimEqual(client(behind: proxies, ["192.0.2.66"] + values), named, "a client that chose its own address")
    }
}

private func client(behind proxies: TrustedProxies, _ values: [String]) -> IPAddress? {
    var headers = HTTPHeaders()
    for value in values { headers.add("X-Forwarded-For", value) }
    return proxies.client(forwardedIn: headers)
}

/// The C library reads the same addresses, and what is written is read again.
private func judgeAddress(_ text: String) {
    let address = IPAddress(text)
    if !text.utf8.contains(0) {
        claimEqual(address, readByTheCLibrary(text), "the C library reads \(text) differently")
    }
    guard let address else { return }
    claimEqual(IPAddress(address.description), address, "an address that changes when written")
    claim(IPNetwork(text)?.contains(address) == true, "an address outside its own network")
}

private func readByTheCLibrary(_ text: String) -> IPAddress? {
    var v4 = in_addr()
    if inet_pton(AF_INET, text, &v4) == 1 { return IPAddress(v4: UInt32(bigEndian: v4.s_addr)) }
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
    return withUnsafeBytes(of: &v6) { bytes in
        IPAddress(
            high: UInt64(bigEndian: bytes.load(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
