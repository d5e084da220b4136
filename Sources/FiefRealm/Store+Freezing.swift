import Fief

extension Store {
  /// False: a handle shows the newest state.
  public var isFrozen: Bool { false }

  /// Returns the handle, which shows the newest state.
  public func thaw() -> Store { self }

  /// True: the handle always shows the commits of others.
  public var autorefresh: Bool {
    get { true }
    @available(
      *,
      unavailable,
      message:
        "each read outside of read { } has the newest state: remove the line, or read in realm.read { }"
    )
    set {}
  }

  /// Returns a copy of an object in one state, as `object.freeze()` does.
  public func freeze<Element: Object>(_ object: Element) -> Element { object.freeze() }

  /// Returns the object of a frozen copy in its present state, as `object.thaw()` does, or nil if it was
  /// deleted.
  public func thaw<Element: Object>(_ object: Element) -> Element? { object.thaw() }

  /// Returns the objects of a collection in one state, as `collection.freeze()` does.
  public func freeze<Collection: ObjectCollection>(_ collection: Collection) -> Results<Collection.Member> {
    collection.freeze()
  }

  /// Returns the objects of results in one state, as `results.freeze()` does.
  public func freeze<Element>(_ results: Results<Element>) -> Results<Element> { results.freeze() }

  /// Returns the results of frozen results in their present state.
  public func thaw<Element>(_ results: Results<Element>) -> Results<Element>? { results.thaw() }

  /// Not available: an embedded object is frozen with its owner.
  @available(*, unavailable, message: "freeze the object that it is embedded in")
  public func freeze<Element: EmbeddedObject>(_ object: Element) -> Element { object }

  /// Not available: an embedded object is frozen with its owner.
  @available(*, unavailable, message: "thaw the object that it is embedded in")
  public func thaw<Element: EmbeddedObject>(_ object: Element) -> Element? { object }
}
