import Fief

extension Store {
  /// `false`: a handle has the newest state, and in a handler the state of the change.
  public var isFrozen: Bool { false }

  /// Returns the handle itself, which is not frozen.
  public func thaw() -> Store { self }

  /// `true`: commits of other threads and processes are always visible through the handle.
  public var autorefresh: Bool {
    get { true }
    @available(
      *,
      unavailable,
      message:
        "each read outside read { } returns the newest state: remove the line, or read in realm.read { }"
    )
    set {}
  }

  /// Returns a frozen copy of an object, like `object.freeze()`.
  public func freeze<Element: Object>(_ object: Element) -> Element { object.freeze() }

  /// Returns the object of a frozen copy in its current state, like `object.thaw()`, or `nil` if it was
  /// deleted.
  public func thaw<Element: Object>(_ object: Element) -> Element? { object.thaw() }

  /// Returns a frozen copy of a collection's objects, like `collection.freeze()`.
  public func freeze<Collection: ObjectCollection>(_ collection: Collection) -> Results<Collection.Member> {
    collection.freeze()
  }

  /// Returns a frozen copy of results, like `results.freeze()`.
  public func freeze<Element>(_ results: Results<Element>) -> Results<Element> { results.freeze() }

  /// Returns live results of the query of frozen results, like `results.thaw()`.
  public func thaw<Element>(_ results: Results<Element>) -> Results<Element>? { results.thaw() }

  /// Not available: an embedded object is frozen with its owner.
  @available(*, unavailable, message: "freeze the object that owns it")
  public func freeze<Element: EmbeddedObject>(_ object: Element) -> Element { object }

  /// Not available: an embedded object is frozen with its owner.
  @available(*, unavailable, message: "thaw the object that owns it")
  public func thaw<Element: EmbeddedObject>(_ object: Element) -> Element? { object }
}
