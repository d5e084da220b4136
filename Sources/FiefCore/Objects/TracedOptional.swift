/// An optional of any type.
package protocol TracedOptional {
  static var wrappedType: Any.Type { get }
  var wrappedValue: Any? { get }
}

extension Optional: TracedOptional {
  package static var wrappedType: Any.Type { Wrapped.self }

  package var wrappedValue: Any? {
    guard let self else { return nil }
    guard let inner = self as? any TracedOptional else { return self }
    return inner.wrappedValue
  }
}
