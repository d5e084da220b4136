import Fief

extension Store {
  /// Whether the handle shows one state for ever: never.
  public var isFrozen: Bool { false }

  /// The handle, which has the newest state.
  public func thaw() -> Store { self }

  /// Whether the handle follows the commits of others: it always does, and this cannot be switched off.
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

  /// A copy of an object in one state, as `object.freeze()` makes it.
  public func freeze<Element: Object>(_ object: Element) -> Element { object.freeze() }

  /// The object that a frozen one was made of, in its present state, as `object.thaw()` finds it; nil where it was deleted.
  public func thaw<Element: Object>(_ object: Element) -> Element? { object.thaw() }

  /// The objects of a collection in one state, as `collection.freeze()` has them.
  public func freeze<Collection: ObjectCollection>(_ collection: Collection) -> Results<Collection.Member> {
    collection.freeze()
  }

  /// The objects of results in one state, as `results.freeze()` has them.
  public func freeze<Element>(_ results: Results<Element>) -> Results<Element> { results.freeze() }

  /// The results that frozen ones were made of, as they are now.
  public func thaw<Element>(_ results: Results<Element>) -> Results<Element>? { results.thaw() }

  /// Not available: an embedded object is frozen with the object that has it.
  @available(*, unavailable, message: "freeze the object that it is embedded in")
  public func freeze<Element: EmbeddedObject>(_ object: Element) -> Element { object }

  /// Not available: an embedded object is frozen with the object that has it.
  @available(*, unavailable, message: "thaw the object that it is embedded in")
  public func thaw<Element: EmbeddedObject>(_ object: Element) -> Element? { object }
}
