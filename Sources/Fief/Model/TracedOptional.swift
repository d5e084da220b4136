/// Optionals of any type.
protocol TracedOptional {
  static var wrappedType: Any.Type { get }
  var wrappedValue: Any? { get }
}

extension Optional: TracedOptional {
  static var wrappedType: Any.Type { Wrapped.self }

  var wrappedValue: Any? {
    guard let self else { return nil }
    guard let inner = self as? any TracedOptional else { return self }
    return inner.wrappedValue
  }
}
