/// Literals and descriptions of lists and sets.
extension List: ExpressibleByArrayLiteral {
  /// Creates a list from its elements.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: CustomStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { ValuePrinter.text(of: Array(self)) }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// Creates a set from its elements.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MutableSet: CustomStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { ValuePrinter.text(of: Array(self)) }
}
