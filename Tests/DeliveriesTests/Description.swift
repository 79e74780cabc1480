import Inbox
import Push

/// All that a value holds, as a text by which answers of two engines are compared. Follows references, and sorts what
/// has no order.
func wholeText(of value: Any) -> String {
    switch value {
    case let provider as Device.Provider: return provider.name
    case let time as Timestamp: return "\(time.milliseconds)"
    case let text as String: return "\"\(text)\""
    case let bytes as [UInt8]: return "'\(String(decoding: bytes, as: UTF8.self))'"
    case let number as any FixedWidthInteger: return "\(number)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.map { child in
        let text = wholeText(of: child.value)
        return mirror.displayStyle == .collection ? text : child.label.map { "\($0): \(text)" } ?? text
    }
    switch mirror.displayStyle {
    case .optional: return children.first.map { _ in wholeText(of: mirror.children.first?.value ?? value) } ?? "nil"
    case .collection: return "[\(children.joined(separator: ", "))]"
    case .set, .dictionary: return "{\(children.sorted().joined(separator: ", "))}"
    case .enum where children.isEmpty: return "\(value)"
    default: return children.isEmpty ? "\(value)" : "\(mirror.subjectType)(\(children.joined(separator: ", ")))"
    }
}
