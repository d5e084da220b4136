/// Where an object came from: what its links resolve with, and who hears of its changes.
///
/// One context serves all objects of a store, of a scope or of a tracer.
// SAFETY: all fields are constant. The scope is not thread-safe; it is only used after `isUsable` has
// said that this is its own thread and that it has not ended.
@usableFromInline
package final class ObjectContext: @unchecked Sendable {
  let store: StoreCore?
  private let scope: AccessScope?
  let tracer: PropertyTracer?
  /// What an object stands for that is not read yet.
  let deferred: _DeferredValue?

  init(store: StoreCore, scope: AccessScope? = nil) {
    self.store = store
    self.scope = scope
    self.tracer = nil
    self.deferred = nil
  }

  init() {
    store = nil
    scope = nil
    tracer = nil
    deferred = nil
  }

  init(tracer: PropertyTracer) {
    self.store = nil
    self.scope = nil
    self.tracer = tracer
    self.deferred = nil
  }

  init(deferred: _DeferredValue) {
    self.store = nil
    self.scope = nil
    self.tracer = nil
    self.deferred = deferred
  }

  /// Whether it is that of a scope, which may have ended.
  var isOfScope: Bool { scope != nil }

  /// The scope that objects of this context are read in, while it lasts and on its own thread.
  var currentScope: AccessScope? {
    guard let scope, scope.isUsable else { return nil }
    return scope
  }

  func didAssign(_ object: ObjectBase) {
    (currentScope as? WriteTransaction)?.noteChange(of: object)
  }

  /// Called when a part of an object was handed out: a collection or an embedded object.
  func didHandOutPart(of owner: ObjectBase) {
    (currentScope as? WriteTransaction)?.keep(owner)
  }

  /// The object that a link leads to: as the scope sees it, or as newly committed.
  func object(of type: ObjectBase.Type, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    guard let store else { return nil }
    let binding = try store.binding(of: type)
    if let scope = currentScope { return try scope.object(of: binding, key: key) }
    let newest = scope == nil ? self : store.newestContext
    return try store.read { try store.load(binding, key: key, from: $0, context: newest) }
  }

  func report(_ error: any Error, type: String, property: String?) {
    store?.report(error, type: type, property: property)
  }
}
