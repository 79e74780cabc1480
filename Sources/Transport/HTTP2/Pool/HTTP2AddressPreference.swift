/// The order in which a server's addresses are tried: some addresses of a name may work, and others lead nowhere.
struct HTTP2AddressPreference {
    private var good: HTTP2Address?
    /// Addresses without an answer since an address last worked. An address that refuses at once costs no time, and
    /// keeps its place.
    private var silent: Set<HTTP2Address> = []

    mutating func worked(_ address: HTTP2Address) {
        good = address
        silent = []
    }

    mutating func timedOut(_ address: HTTP2Address) {
        if good == address { good = nil }
        silent.insert(address)
    }

    /// - Parameter addresses: in the system's order of preference.
    mutating func order(_ addresses: [HTTP2Address]) -> [HTTP2Address] {
        if silent.isSuperset(of: addresses) { silent = [] }
        let first = addresses.filter { $0 == good }
        let rest = addresses.filter { $0 != good }
        return first + rest.filter { !silent.contains($0) } + rest.filter(silent.contains)
    }
}
