/// A member of an object in the parser's memory; valid as long as its ``JSONNode``.
package struct JSONMember {
    package let key: JSONKey
    package let value: JSONNode
}
