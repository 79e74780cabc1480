import Inbox
import JSON
import Push
import Storage
import Transport
import WireProtocol

/// `POST /api/notifications/register-device {device_id, apns_token}`: a phone tells its push token, at every launch.
struct DeviceRoutes {
    let node: Node

    func register(_ user: UserID, _ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard) {
        do throws(Problem) {
            store(try device(request), for: user, reply)
        } catch {
            reply.send(error.response, on)
        }
    }

    /// Without credentials: only a device that its user registered before may tell its new token.
    func registerKnown(_ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard) {
        do throws(Problem) {
            let device = try device(request)
            node.store.owner(ofDevice: device.id) { result in
                switch result {
                case .failure(let error): reply.send(Problem(error).response)
                case .success(nil): reply.send(Self.status("error", message: "User not found"))
                case .success(let user?): self.store(device, for: user, reply)
                }
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    private func device(_ request: HTTPRequest) throws(Problem) -> Device {
        let body = try JSONBody(request.body)
        let (id, token) = (try body.text("device_id"), try body.text("apns_token"))
        guard id.utf8.count <= 200 else {
            throw Problem(
                status: 400, code: "invalid_value", detail: "expected at most 200 bytes", pointer: "/device_id")
        }
        guard token.utf8.count <= 200, token.utf8.count % 2 == 0, token.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else {
            throw Problem(
                status: 400, code: "invalid_value", detail: "expected the token's bytes in hex", pointer: "/apns_token")
        }
        return Device(id: id, provider: .apns, token: token.lowercased(), registeredAt: node.now())
    }

    private func store(_ device: Device, for user: UserID, _ reply: HTTPReply) {
        node.store.register(device, for: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success: reply.send(Self.status("ok", message: nil))
            }
        }
    }

    private static func status(_ status: String, message: String?) -> HTTPResponse {
        .json { json in
            json.object { json in
                json.member("status", status)
                if let message { json.member("message", message) }
            }
        }
    }
}
