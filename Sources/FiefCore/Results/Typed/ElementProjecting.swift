/// A collection that is made of one property of objects.
package protocol ElementProjecting {
  var elementKeyPath: AnyKeyPath { get }
  /// The list or the set of the objects.
  var members: Any { get }
}
