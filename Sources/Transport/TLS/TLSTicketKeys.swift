import COpenSSL
import Synchronization

/// The ticket keys that all contexts of a server share; new keys replace old ones in time. Used from any thread.
final class TLSTicketKeys: Sendable {
    private let ring = Mutex(TLSTicketKeyRing())

    /// libssl's callback (SSL_CTX_set_tlsext_ticket_key_evp_cb(3)): prepares cipher and MAC for a new ticket
    /// (`isSealing` 1) or for a client's ticket.
    static let callback: TicketCallback = { session, name, vector, cipher, mac, isSealing in
        guard let session, let name, let vector, let cipher, let mac,
            let keys = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), TLSTicketKeys.place)
        else { return -1 }
        let ring = Unmanaged<TLSTicketKeys>.fromOpaque(keys).takeUnretainedValue()
        return isSealing == 1 ? ring.seal(name, vector, cipher, mac) : ring.open(name, vector, cipher, mac)
    }

    typealias TicketCallback =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
            Int32
        ) -> Int32

    /// The index of the keys in a context's data: the one that the library leaves to the application.
    private static let place: Int32 = 0
    // The return values of the callback.
    private static let failed: Int32 = -1
    private static let unknown: Int32 = 0
    private static let ready: Int32 = 1
    private static let readyAndOutdated: Int32 = 2

    /// - Parameter context: must not outlive these keys.
    func serve(_ context: OpaquePointer) {
        SSL_CTX_set_ex_data(context, Self.place, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context, Self.callback)
        SSL_CTX_set_timeout(context, Int(TLSTicketKeyRing.ticketLifetime.components.seconds))
        // One ticket is enough for a client with one connection, and each costs bytes and time in every handshake.
        SSL_CTX_set_num_tickets(context, 1)
    }

    private func seal(
        _ name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer,
        _ mac: OpaquePointer
    ) -> Int32 {
        guard let key = ring.withLock({ $0.sealingKey(at: .now, fresh: Self.freshKey) }),
            RAND_bytes(vector, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) == 1
        else { return Self.failed }
        name.update(from: key.name, count: key.name.count)
        guard EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipherKey, vector) == 1,
            belfry_mac_set_key(mac, key.macKey, key.macKey.count) == 1
        else { return Self.failed }
        return Self.ready
    }

    private func open(
        _ name: UnsafeMutablePointer<UInt8>, _ vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer,
        _ mac: OpaquePointer
    ) -> Int32 {
        let name = UnsafeRawBufferPointer(start: name, count: TLSTicketKey.nameBytes)
        guard let (key, isOutdated) = ring.withLock({ $0.openingKey(named: name, at: .now) }) else {
            return Self.unknown
        }
        guard EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipherKey, vector) == 1,
            belfry_mac_set_key(mac, key.macKey, key.macKey.count) == 1
        else { return Self.failed }
        return isOutdated ? Self.readyAndOutdated : Self.ready
    }

    private static func freshKey() -> TLSTicketKey? {
        var random = [UInt8](repeating: 0, count: TLSTicketKey.randomBytes)
        guard RAND_priv_bytes(&random, Int32(random.count)) == 1 else { return nil }
        return TLSTicketKey(random: random)
    }
}
