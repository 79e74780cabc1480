/// A member of an object where the parser put it, valid as long as its ``JSONNode``.
package struct JSONMember {
    package let key: JSONKey
    package let value: JSONNode
}
