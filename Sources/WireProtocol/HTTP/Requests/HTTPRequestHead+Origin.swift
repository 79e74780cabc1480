extension HTTPRequestHead {
    /// Whether the request comes from a page of the requested host and port. Browsers send the page's origin with each
    /// request that is neither GET nor HEAD.
    package var isOfSameOrigin: Bool {
        guard let origin = origin?.lowercased(), let authority = authority?.lowercased() else { return false }
        return origin == "http://" + authority || origin == "https://" + authority
    }

    /// Whether the request names this machine by a loopback address or `localhost`. A page whose own name was made to
    /// lead here has another `Host`.
    package var isForLoopback: Bool {
        guard let host = authority.flatMap({ HTTPAuthority($0) })?.host.lowercased() else { return false }
        let address = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return host == "localhost" || IPAddress(address)?.isLoopback == true
    }
}
