/// A collection whose type is not known: results, a list, a set or an inverse.
///
/// ```swift
/// func show(_ dogs: AnyRealmCollection<Dog>) { … }
/// show(AnyRealmCollection(store.objects(Dog.self)))
/// show(AnyRealmCollection(person.dogs))
/// ```
/// It is as live as what it was made of. With objects in it, it can be asked as every `ObjectCollection` can.
public struct AnyRealmCollection<Element>: Sequence {
  private let counted: () -> Int
  private let found: (Int) -> Element?
  private let iterated: () -> AnyIterator<Element>
  /// The results of a collection of objects.
  private let asResults: () -> Any

  private init<Base: Sequence>(
    _ base: Base,
    count: @escaping () -> Int,
    element: @escaping (Int) -> Element?,
    results: @escaping () -> Any
  ) where Base.Element == Element {
    counted = count
    found = element
    iterated = { AnyIterator(base.makeIterator()) }
    asResults = results
  }

  /// Hides the type of results.
  public init(_ base: Results<Element>) where Element: Object {
    self.init(base, count: { base.count }, element: { base[$0] }, results: { base })
  }

  /// Hides the type of an inverse.
  public init(_ base: LinkingObjects<Element>) where Element: Object {
    self.init(base.results)
  }

  /// Hides the type of a list.
  public init(_ base: List<Element>) where Element: RealmCollectionValue {
    self.init(base, count: { base.count }, element: { Self.element(of: base, at: $0) }) {
      Self.results(of: base)
    }
  }

  /// Hides the type of a set.
  public init(_ base: MutableSet<Element>) where Element: RealmCollectionValue {
    self.init(base, count: { base.count }, element: { Self.element(of: base, at: $0) }) {
      Self.results(of: base)
    }
  }

  /// The results of a collection of objects; of values nothing that is any.
  private static func results(of base: Any) -> Any {
    func results(_ base: some ObjectCollection) -> Any { base.results }
    return (base as? any ObjectCollection).map { results($0) } as Any
  }

  private static func element(of base: some Sequence<Element>, at index: Int) -> Element? {
    index < 0 ? nil : base.dropFirst(index).first { _ in true }
  }

  /// The number of elements.
  public var count: Int { counted() }

  /// Whether there is no element.
  public var isEmpty: Bool { counted() == 0 }

  /// The first element, nil where there is none.
  public var first: Element? { found(0) }

  /// The last element, nil where there is none.
  public var last: Element? { found(counted() - 1) }

  /// The element at a place, nil beyond the end.
  public subscript(index: Int) -> Element? { found(index) }

  /// An iterator over the elements as they are now.
  public func makeIterator() -> AnyIterator<Element> { iterated() }
}

extension AnyRealmCollection: ObjectCollection where Element: Object {
  /// The class of the objects.
  public typealias Member = Element

  /// The objects as results.
  public var results: Results<Element> {
    asResults() as? Results<Element> ?? .failing(FiefError(.invalidQuery, "The collection has no objects."))
  }
}
