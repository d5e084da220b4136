import Fief

/// The operations of a collection whose type is hidden.
struct ErasedCollection<Element> {
  var count: () -> Int
  /// The element at an index, or `nil` if it does not exist.
  var element: (Int) -> Element?
  var last: () -> Element?
  var iterator: () -> AnyIterator<Element>
  /// The collection itself.
  var collection: () -> Any
  var origin: () -> Realm?
  var isInvalidated: () -> Bool
  var isFrozen: () -> Bool
  var report: (any Error) -> Void
}

/// A collection of the library whose type `AnyRealmCollection` can hide.
protocol HideableCollection<Element> {
  associatedtype Element
  var hiddenCollection: ErasedCollection<Element> { get }
  /// Reports an error that cannot be thrown.
  func reportFailure(_ error: any Error)
  /// Checks that a property of all elements can currently be changed.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue`.
  func checkWrite(changing property: String) throws
}

extension HideableCollection {
  func checkWrite(changing property: String) throws {}
}

extension RealmCollection {
  /// The collection with its type hidden. A collection of another module supports only iteration.
  var hiddenCollection: ErasedCollection<Element> {
    if let own = self as? any HideableCollection<Element> { return own.hiddenCollection }
    return ErasedCollection(
      count: { self.count },
      element: { index in self.dropFirst(index).first { _ in true } },
      last: { self.reduce(nil) { $1 } },
      iterator: { AnyIterator(self.makeIterator()) },
      collection: { self },
      origin: { self.realm },
      isInvalidated: { self.isInvalidated },
      isFrozen: { self.isFrozen },
      report: { Misuse.report($0 as? FiefError ?? FiefError(.invalidValue, "\($0)")) }
    )
  }

  var anyCollection: AnyRealmCollection<Element> { AnyRealmCollection(hiddenCollection) }
}

extension Results: HideableCollection {
  var hiddenCollection: ErasedCollection<Element> {
    ErasedCollection(
      count: { count },
      element: { knownObject(atPlace: $0) },
      last: { last },
      iterator: { AnyIterator(makeIterator()) },
      collection: { self },
      origin: { realm },
      isInvalidated: { isInvalidated },
      isFrozen: { isFrozen },
      report: { reportFailure($0) }
    )
  }
}

extension LinkingObjects: HideableCollection {
  var hiddenCollection: ErasedCollection<Element> {
    ErasedCollection(
      count: { count },
      element: { knownObject(at: $0) },
      last: { last },
      iterator: { AnyIterator(makeIterator()) },
      collection: { self },
      origin: { realm },
      isInvalidated: { isInvalidated },
      isFrozen: { isFrozen },
      report: { reportFailure($0) }
    )
  }

  func checkWrite(changing property: String) throws { try results.checkWrite(changing: property) }
}

extension List: HideableCollection {
  var hiddenCollection: ErasedCollection<Element> {
    ErasedCollection(
      count: { self.count },
      element: { self.element(at: $0) },
      last: { self.last },
      iterator: { AnyIterator(self.makeIterator()) },
      collection: { self },
      origin: { self.realm },
      isInvalidated: { self.isInvalidated },
      isFrozen: { self.isFrozen },
      report: { self.reportFailure($0) }
    )
  }
}

extension MutableSet: HideableCollection {
  var hiddenCollection: ErasedCollection<Element> {
    ErasedCollection(
      count: { self.count },
      element: { self.element(at: $0) },
      last: { self.element(at: self.count - 1) },
      iterator: { AnyIterator(self.makeIterator()) },
      collection: { self },
      origin: { self.realm },
      isInvalidated: { self.isInvalidated },
      isFrozen: { self.isFrozen },
      report: { self.reportFailure($0) }
    )
  }
}

extension AnyRealmCollection: HideableCollection {
  var hiddenCollection: ErasedCollection<Element> { base }

  func reportFailure(_ error: any Error) { base.report(error) }

  func checkWrite(changing property: String) throws {
    func check(_ collection: some HideableCollection) throws { try collection.checkWrite(changing: property) }
    if let collection = hidden as? any HideableCollection { try check(collection) }
  }
}
