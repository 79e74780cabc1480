import Crypto

/// Numbers for keys: a key has the same number in each set that is read while the process runs.
///
/// Grows with all keys that the files have had, 64 bytes each. After 65,535 keys, further ones share the number 0,
/// which is never trusted: sessions with their tokens are asked to renew whenever keys change.
struct KeyNumbers: Sendable {
    private struct Identity: Hashable {
        let algorithm: SigningAlgorithm
        let name: String?
        let digest: [UInt8]
        let owner: Int
    }

    private var numbers: [Identity: UInt16] = [:]

    /// The same keys with their numbers.
    ///
    /// - Parameter owner: whose keys these are. Another owner's equal key has another number, as its tokens are others.
    mutating func number(_ keys: [VerificationKey], of owner: Int) -> [VerificationKey] {
        keys.map { key in
            var key = key
            let identity = Identity(algorithm: key.algorithm, name: key.identifier, digest: key.digest, owner: owner)
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
    /// Distinguishes keys, without revealing a secret.
    static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] { Array(SHA256.hash(data: Array(bytes))) }
}
