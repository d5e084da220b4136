/// Literals and descriptions of lists and sets.
extension List: ExpressibleByArrayLiteral {
  /// Makes a list of elements.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: CustomStringConvertible {
  /// The elements as an array writes them.
  public var description: String { PrintedValue.text(of: Array(self)) }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// Makes a set of elements.
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MutableSet: CustomStringConvertible {
  /// The elements as an array writes them.
  public var description: String { PrintedValue.text(of: Array(self)) }
}
