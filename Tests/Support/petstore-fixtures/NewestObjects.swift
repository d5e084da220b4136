import Fief

/// Makes objects of the application's classes, which are its own, by their names; or of those frozen in their place.
struct NewestObjects {
  private let tx: WriteTransaction
  private let types: [Object.Type]

  init(_ tx: WriteTransaction, _ types: [Object.Type]) {
    self.tx = tx
    self.types = types
  }

  @discardableResult
  func create(_ name: String, _ values: [String: Any]) throws -> Object {
    guard let type = types.first(where: { $0.className() == name }) else {
      throw FixtureError.unknownType(name)
    }
    return try create(type, values)
  }

  private func create<Element: Object>(_ type: Element.Type, _ values: [String: Any]) throws -> Object {
    try tx.create(type, value: values)
  }
}
