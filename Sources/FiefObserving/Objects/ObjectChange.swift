/// A change of an observed object.
///
/// ```swift
/// let token = dog.observe { change in
///   switch change {
///   case .change(let dog, let properties):
///     for property in properties { print(dog.name, property.name, property.newValue ?? "nil") }
///   case .deleted: print("gone")
///   case .error(let error): print(error)
///   }
/// }
/// ```
public enum ObjectChange<T> {
  /// The object cannot be read any more; nothing comes after it.
  case error(any Error)
  /// Properties have other values than when the object was reported last, however many commits are in between: the object
  /// as it is, and these properties.
  case change(T, [PropertyChange])
  /// The object was deleted; nothing comes after it.
  case deleted
}

/// A property of an object that has another value than before.
public struct PropertyChange {
  /// The name of the property, as its class declares it.
  public let name: String

  /// The value when the object was reported last; nil for nil.
  ///
  /// The old value of a link is the object that was linked, in its present state; nil where it was deleted. Old values of
  /// collections and inverses are not kept: nil.
  public let oldValue: Any?

  /// The value that the object has now; nil for nil. Of a collection it is the collection.
  public let newValue: Any?

  package init(name: String, oldValue: Any?, newValue: Any?) {
    self.name = name
    self.oldValue = oldValue
    self.newValue = newValue
  }
}
