/// A collection of links whose objects a query is about, in place of all objects of a type.
package struct QueryMembers: Hashable, Sendable {
  /// The type of the object that has the collection.
  package var type: String
  /// The key of that object.
  package var key: ObjectKey
  /// The columns that lead from it to the collection, which is the last one; those before are embedded objects.
  package var path: [String]
  /// The payload of a list of links that no object has; nil where one has the collection.
  var given: [UInt8]?

  package init(type: String, key: ObjectKey, path: [String]) {
    self.type = type
    self.key = key
    self.path = path
  }
}
