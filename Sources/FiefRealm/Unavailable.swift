import Fief
import Foundation

// What Realm has and this library has not, with what to write in its place.

extension Store {
  @available(
    *,
    unavailable,
    message: "write in a closure: try realm.write { }, or try await realm.write { tx in }"
  )
  public func beginWrite() {}

  @available(
    *,
    unavailable,
    message: "write in a closure: try realm.write { }; it commits when the closure returns"
  )
  public func commitWrite() throws {}

  @available(
    *,
    unavailable,
    message: "throw an error inside of the closure of try realm.write { }; nothing is kept then"
  )
  public func cancelWrite() {}

  @available(
    *,
    unavailable,
    message: "use try await realm.write { tx in }, whose closure gets the transaction"
  )
  public func asyncWrite<Value>(_ body: () throws -> Value) async throws -> Value {
    throw FiefError(.transactionEnded, "asyncWrite is not available.")
  }

  @available(*, unavailable, message: "objects are copies and hold no version of the store: remove the call")
  public func invalidate() {}

  @available(*, unavailable, message: "each read outside of read { } has the newest state: remove the line")
  public var autorefresh: Bool {
    get { true }
    set {}
  }

  @available(
    *,
    unavailable,
    message: "nothing is confined to a queue: leave the parameter out, and name the queue in observe(on:)"
  )
  public convenience init(configuration: Configuration, queue: DispatchQueue?) throws {
    try self.init(configuration: configuration)
  }

  @available(*, unavailable, message: "a DynamicStore reads a store without its classes")
  public func dynamicObjects(_ typeName: String) {}
}

extension Store.Configuration {
  @available(*, unavailable, message: "there is no synchronization with a server")
  public var syncConfiguration: Never? { nil }
}

@available(*, unavailable, message: "there is no synchronization with a server")
public enum App {}

@available(*, unavailable, message: "there is no synchronization with a server")
public enum SyncConfiguration {}
