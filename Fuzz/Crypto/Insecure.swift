import COpenSSL

/// What `HandshakeKey` uses of swift-crypto, by the libcrypto that every build of Belfry needs anyway: building
/// swift-crypto with sanitizers would take longer than fuzzing.
public enum Insecure {
    public struct SHA1 {
        private var bytes: [UInt8] = []

        public init() {}

        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { bytes.append(contentsOf: bufferPointer) }

        public func finalize() -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
            COpenSSL.SHA1(bytes, bytes.count, &digest)
            return digest
        }
    }
}
