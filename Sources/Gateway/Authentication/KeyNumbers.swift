import Crypto

/// Numbers for keys, the same for the same key in each set that is read while the process runs.
///
/// Grows with the keys that files have had, 64 bytes each. After 65,535 keys the next ones share the number 0, of which
/// nothing is believed: sessions of their tokens are asked to renew whenever keys change.
struct KeyNumbers: Sendable {
    private struct Identity: Hashable {
        let algorithm: SigningAlgorithm
        let name: String?
        let digest: [UInt8]
    }

    private var numbers: [Identity: UInt16] = [:]

    /// The same keys, each with its number.
    mutating func number(_ keys: [VerificationKey]) -> [VerificationKey] {
        keys.map { key in
            var key = key
            let identity = Identity(algorithm: key.algorithm, name: key.identifier, digest: key.digest)
            if let known = numbers[identity] {
                key.number = known
            } else if numbers.count < UInt16.max {
                key.number = UInt16(numbers.count + 1)
                numbers[identity] = key.number
            }
            return key
        }
    }
}

extension VerificationKey {
    /// What tells keys apart, and nothing of a secret.
    static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] { Array(SHA256.hash(data: Array(bytes))) }
}
