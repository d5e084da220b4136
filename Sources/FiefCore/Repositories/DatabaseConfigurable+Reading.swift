import Foundation
import LMDB

extension DatabaseConfigurable {
  /// Opens the store and runs pending migrations. If the store is already open, only compares the key of the
  /// options with the store's key.
  ///
  /// Call this method when the application starts, to find errors before anything is read. Other uses of an
  /// open store do not check the key. With a passphrase, the comparison takes as long as opening the store.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened; of code `wrongKey`, `encrypted`, `notEncrypted`
  ///   or `invalidKey` if it is already open with another key.
  public func open() throws {
    let wasOpen = StoreRegistry.shared.isOpen(self)
    let store = store()
    if wasOpen { try checkKey(of: store) } else { _ = try store.core() }
  }

  /// Compares the key of the options with the key of the open store.
  ///
  /// - Throws: as ``open()``.
  package func checkKey(of store: Store) throws {
    let core = try store.core()
    let encryption =
      storeOptions.encryption ?? StoreRegistry.sandbox(of: self)?.encryption(of: core.directory)
    // Most stores are unencrypted and have no key.
    guard encryption != nil || core.environment.sealing != nil else { return }
    do { try StoreOpening.checkKey(encryption, of: core.environment, store: core.name) } catch {
      throw core.described(error)
    }
  }

  /// Returns the objects of a type.
  ///
  /// ```swift
  /// let dogs = try repository.objects(Dog.self).filter("age > 3")
  /// for dog in try dogs.all() { print(dog.name) }
  /// ```
  /// - Throws: ``FiefError`` if the store cannot be opened or does not have the type. An error in a query is
  ///   thrown when the query runs: by ``Results/all()``, ``Results/fetchFirst()``, ``Results/fetchCount()``
  ///   and the other methods that throw.
  public func objects<Element: Object>(_ type: Element.Type) throws -> Results<Element> {
    let store = store()
    _ = try store.core(for: type).binding(of: type)
    return store.objects(type)
  }

  /// Returns all objects of a type. If the store cannot be opened or does not have the type, returns `nil`
  /// and reports an event; ``objects(_:)->Results<Element>`` throws instead.
  public func queryAll<Element: Object>(returningClass: Element.Type) -> Results<Element>? {
    let store = store()
    do { _ = try store.core(for: returningClass).binding(of: returningClass) } catch {
      store.report(error, type: returningClass.className())
      return nil
    }
    return store.objects(returningClass)
  }

  /// Returns the objects of a type that match a predicate, sorted by a property. If the store cannot be
  /// opened or does not have the type, returns `nil` and reports an event; ``objects(_:)->Results<Element>``
  /// throws instead.
  ///
  /// - Parameters:
  ///   - returningClass: a class of the store.
  ///   - predicate: the condition that the objects must meet; `nil` for all objects.
  ///   - sortedBy: the name of the property to sort by; `nil` for the order of the keys.
  ///   - ascending: whether smaller values come first.
  public func query<Element: Object>(
    returningClass: Element.Type,
    predicate: Predicate<Element>? = nil,
    sortedBy: String? = nil,
    ascending: Bool = true
  ) -> Results<Element>? {
    guard var results = queryAll(returningClass: returningClass) else { return nil }
    if let predicate { results = results.filter(predicate) }
    if let sortedBy { results = results.sorted(byKeyPath: sortedBy, ascending: ascending) }
    return results
  }

  /// Returns the objects of a type that meet a condition, sorted by a property. If the store cannot be opened
  /// or does not have the type, returns `nil` and reports an event; ``objects(_:)->Results<Element>`` throws
  /// instead.
  ///
  /// ```swift
  /// let dogs = repository.query(returningClass: Dog.self, sortedBy: "name") { $0.age > 3 }
  /// ```
  /// - Parameters:
  ///   - returningClass: a class of the store.
  ///   - sortedBy: the name of the property to sort by; `nil` for the order of the keys.
  ///   - ascending: whether smaller values come first.
  ///   - isIncluded: builds the condition, as in ``ObjectQuery/where(_:)``.
  public func query<Element: Object>(
    returningClass: Element.Type,
    sortedBy: String? = nil,
    ascending: Bool = true,
    where isIncluded: (Query<Element>) -> Query<Bool>
  ) -> Results<Element>? {
    guard var results = queryAll(returningClass: returningClass)?.where(isIncluded) else { return nil }
    if let sortedBy { results = results.sorted(byKeyPath: sortedBy, ascending: ascending) }
    return results
  }

  /// Returns the number of objects of a type, in constant time.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened or does not have the type.
  public func count<Element: Object>(_ type: Element.Type) throws -> Int {
    try read { try $0.count(type) }
  }

  /// Returns a Boolean value that indicates whether an object with a primary key exists. No object is
  /// created.
  public func exists<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws -> Bool {
    try read { try $0.exists(type, forPrimaryKey: key) }
  }
}
