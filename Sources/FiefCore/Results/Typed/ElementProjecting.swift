/// A collection of the values of one property of objects.
package protocol ElementProjecting {
  var elementKeyPath: AnyKeyPath { get }
  /// The list or set of the objects.
  var members: Any { get }
}
