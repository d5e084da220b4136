/// A collection of links whose objects a query selects from, instead of all objects of a type.
package struct QueryMembers: Hashable, Sendable {
  /// The type of the collection's owner.
  package var type: String
  /// The key of the owner.
  package var key: ObjectKey
  /// The columns that lead from the owner to the collection. The last one is the collection itself, and the
  /// others are embedded objects.
  package var path: [String]
  /// The payload of a list of links without an owner, or `nil` if the collection has an owner.
  var given: [UInt8]?

  package init(type: String, key: ObjectKey, path: [String]) {
    self.type = type
    self.key = key
    self.path = path
  }
}
