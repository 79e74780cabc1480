import JWTKit
import Push

/// Reads the keys with which we prove who we are to push services; what is wrong is told with the setting and the file.
enum PushKeyFile {
    /// Apple's `.p8` file.
    static func apns(_ path: String) async throws -> any JWTAlgorithm {
        let text = try read(path, of: "push.apns.keyPath")
        do {
            return try await JWTKeyCollection().add(ecdsa: ES256PrivateKey(pem: text)).getKey()
        } catch {
            throw ServerError("push.apns.keyPath: \(path): expected the .p8 file from Apple: PEM of an EC key on P-256")
        }
    }

    /// Google's JSON file of a service account, and the key in it.
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

    static func vapid(_ path: String) throws -> VAPIDKey {
        let text = try read(path, of: "push.webPush.privateKeyPath")
        do {
            return try VAPIDKey(text)
        } catch {
            throw ServerError("push.webPush.privateKeyPath: \(path): \(error)")
        }
    }

    private static func read(_ path: String, of setting: String) throws -> String {
        do {
            return try TextFile.read(path)
        } catch {
            throw ServerError("\(setting): \(error)")
        }
    }
}
