import Fief

extension Store {
  /// Whether the handle shows one state for ever: never.
  public var isFrozen: Bool { false }

  /// The handle, which has the newest state.
  public func thaw() -> Store { self }

  /// Whether the handle follows what others commit: it always does, and that cannot be switched off.
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

  /// Not available: an object outside of a write is a copy of one state.
  @available(
    *,
    unavailable,
    message: "an object is a copy of one state: use it as it is, or detached() for one of no store"
  )
  public func freeze<Element: ObjectBase>(_ object: Element) -> Element { object }

  /// Not available: an object joins the write that changes it.
  @available(*, unavailable, message: "assign in a write, which the object joins, or read the object again")
  public func thaw<Element: ObjectBase>(_ object: Element) -> Element? { object }
}
