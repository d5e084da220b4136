import FiefCore

/// The transactions of a write to several stores, one per store.
///
/// Each of them follows the rules of ``WriteTransaction``. An object belongs to the transaction of its store.
public struct MultiStoreTransaction {
  private let scopes: [WriteTransaction]

  init(_ scopes: [WriteTransaction]) { self.scopes = scopes }

  /// Returns the transaction of a store.
  ///
  /// - Parameter repository: a repository that was passed to the write, or another repository of the same
  ///   store.
  /// - Throws: ``FiefError`` of code `nestedWrite` if the write does not include the store.
  public func transaction(of repository: some DatabaseConfigurable) throws -> WriteTransaction {
    let core = try repository.store().core()
    if let scope = scopes.first(where: { $0.store === core }) { return scope }
    throw missing(repository.storeName)
  }

  /// Returns the transaction of the store with exactly this name. Unicode normalization is significant.
  ///
  /// - Throws: ``FiefError`` of code `nestedWrite` if the write does not include the store.
  public subscript(name: String) -> WriteTransaction {
    get throws {
      if let scope = scopes.first(where: { $0.store.name.hasSameBytes(as: name) }) { return scope }
      throw missing(name)
    }
  }

  func transaction(of core: StoreCore) throws -> WriteTransaction {
    if let scope = scopes.first(where: { $0.store === core }) { return scope }
    throw missing(core.name)
  }

  private func missing(_ name: String) -> FiefError {
    FiefError(
      .nestedWrite,
      "The store is not part of this write to several stores.",
      store: name,
      details: ["its stores: " + scopes.map(\.store.name).sorted().joined(separator: ", ")]
    )
  }
}
