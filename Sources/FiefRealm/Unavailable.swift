import Fief
import Foundation

// What Realm has and this library has not, with what to write in its place.

extension Store {
  /// Not available: a write is a closure.
  @available(
    *,
    unavailable,
    message: "write in a closure: try realm.write { }, or try await realm.write { tx in }"
  )
  public func beginWrite() {}

  /// Not available: a write commits when its closure returns.
  @available(
    *,
    unavailable,
    message: "write in a closure: try realm.write { }; it commits when the closure returns"
  )
  public func commitWrite() throws {}

  /// Not available: an error that the closure throws cancels its write.
  @available(
    *,
    unavailable,
    message: "throw an error inside of the closure of try realm.write { }; nothing is kept then"
  )
  public func cancelWrite() {}

  /// Not available: `write` has a form for tasks.
  @available(
    *,
    unavailable,
    message: "use try await realm.write { tx in }, whose closure gets the transaction"
  )
  public func asyncWrite<Value>(_ body: () throws -> Value) async throws -> Value {
    throw FiefError(.transactionEnded, "asyncWrite is not available.")
  }

  /// Not available: objects hold no version of the store.
  @available(*, unavailable, message: "objects are copies and hold no version of the store: remove the call")
  public func invalidate() {}

  /// Not available: reads have the newest state.
  @available(*, unavailable, message: "each read outside of read { } has the newest state: remove the line")
  public var autorefresh: Bool {
    get { true }
    set {}
  }

  /// Not available: nothing is confined to a queue.
  @available(
    *,
    unavailable,
    message: "nothing is confined to a queue: leave the parameter out, and name the queue in observe(on:)"
  )
  public convenience init(configuration: Configuration, queue: DispatchQueue?) throws {
    try self.init(configuration: configuration)
  }

  /// Not available: a `DynamicStore` has objects without classes.
  @available(*, unavailable, message: "a DynamicStore reads a store without its classes")
  public func dynamicObjects(_ typeName: String) {}
}

extension Object {
  /// Not available: an object outside of a write is a copy of one state.
  @available(
    *,
    unavailable,
    message: "an object is a copy of one state: use it as it is, or detached() for one of no store"
  )
  public func freeze() -> Self { self }

  /// Not available: an object joins the write that changes it.
  @available(*, unavailable, message: "assign in a write, which the object joins, or read the object again")
  public func thaw() -> Self? { self }

  /// Not available: an object outside of a write is a copy of one state.
  @available(*, unavailable, message: "an object is a copy of one state, which can be edited and saved")
  public var isFrozen: Bool { false }

  /// Not available: the classes describe themselves.
  @available(
    *,
    unavailable,
    message: "the properties are those of the class; a DynamicStore describes a store's types"
  )
  public var objectSchema: Never? { nil }
}

extension Store.Configuration {
  /// Not available: there is no synchronization.
  @available(*, unavailable, message: "there is no synchronization with a server")
  public var syncConfiguration: Never? { nil }
}

/// Not available: there is no synchronization.
@available(*, unavailable, message: "there is no synchronization with a server")
public enum App {}

/// Not available: there is no synchronization.
@available(*, unavailable, message: "there is no synchronization with a server")
public enum SyncConfiguration {}
