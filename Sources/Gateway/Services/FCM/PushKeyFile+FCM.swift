import JWTKit
import Push

extension PushKeyFile {
    /// Reads Google's JSON file of a service account, and the key in it.
    static func serviceAccount(_ path: String) async throws -> (ServiceAccount, any JWTAlgorithm) {
        let setting = "push.fcm.serviceAccountPath"
        let account: ServiceAccount
        do {
            account = try ServiceAccount(parsing: read(path, of: setting))
        } catch let error as ServiceAccountError {
            throw ServerError("\(setting): \(path): \(error)")
        }
        do {
            let key = try Insecure.RSA.PrivateKey(pem: account.privateKey)
            return (account, try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey())
        } catch {
            throw ServerError(
                "\(setting): \(path): expected \"private_key\" to be PEM of an RSA key of 2,048 bits or more")
        }
    }
}
