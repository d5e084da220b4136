import FiefCore

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
  /// The object can no longer be read. This is the last call.
  case error(any Error)
  /// Properties differ from the last report, however many commits lie in between. Contains the current object
  /// and these properties.
  case change(T, [PropertyChange])
  /// The object was deleted. This is the last call.
  case deleted
}

extension ObjectChange {
  /// Returns the same change with the dynamic type of its object.
  package func cast<Instance>(to type: Instance.Type) -> ObjectChange<Instance> {
    switch self {
    case .change(let object, let properties):
      if let object = object as? Instance {
        .change(object, properties)
      } else {
        .error(FiefError(.invalidValue, "The observed object has another class.", type: "\(Instance.self)"))
      }
    case .deleted: .deleted
    case .error(let error): .error(error)
    }
  }
}

/// A changed property of an object.
public struct PropertyChange {
  /// The name of the property as declared in its class.
  public let name: String

  /// The value at the last report. It is `nil` if the property was `nil`.
  ///
  /// The old value of a link is the linked object in its current state, or `nil` if that object was deleted.
  /// Old values of collections and inverses are not kept; they are `nil`.
  public let oldValue: Any?

  /// The current value. It is `nil` if the property is `nil`. For a collection it is the collection itself.
  public let newValue: Any?

  package init(name: String, oldValue: Any?, newValue: Any?) {
    self.name = name
    self.oldValue = oldValue
    self.newValue = newValue
  }
}
