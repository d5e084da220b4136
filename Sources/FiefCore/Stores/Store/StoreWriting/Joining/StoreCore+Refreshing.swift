import LMDB
import Synchronization

/// Updating existing objects to a newer state outside writes.
extension StoreCore {
  /// Makes each existing object read the newest state the next time it is used. Objects with unsaved
  /// assignments and frozen objects keep their values. In a write, and in a handler that reads a snapshot,
  /// nothing changes.
  ///
  /// - Returns: whether there were commits since the last call, or since the store was opened.
  /// - Throws: ``FiefError`` if the store cannot be read.
  fileprivate func refreshHeldObjects() throws -> Bool {
    if readingScope(seeing: nil) != nil { return false }
    let commit = try read { $0.id }
    _ = WritingThreadCount.keepsCounting
    return refreshed.exchange(commit, ordering: .sequentiallyConsistent) != commit
  }

  /// Updates an existing object to the newest state.
  ///
  /// - Parameter context: the context of the object.
  @inline(never)
  func refresh(_ object: ObjectBase, of context: ObjectContext) {
    guard !isClosed, let (binding, key) = refreshable(object) else { return }
    let newest = ObjectContext(store: self, visible: context.visible)
    // The context is replaced even after a failure, so that the failure is reported only once and not for
    // each property.
    object._context = newest
    if let fresh = refreshedObject(binding, key, newest) { object.take(fresh) }
  }

  /// Reads an object in the snapshot of this thread's handler, or in the newest state. Returns `nil` if it
  /// does not exist or cannot be read. The error of a failed read is reported.
  func refreshedObject(_ binding: ObjectBinding, _ key: [UInt8], _ context: ObjectContext) -> ObjectBase? {
    do {
      return try key.withUnsafeBytes { key in
        if let scope = readingScope(seeing: context.visible) { return try scope.load(binding, key: key) }
        return try read { try countedLoad(binding, key: key, from: $0, context: context) }
      }
    } catch {
      report(error, type: binding.table.name, property: nil)
      return nil
    }
  }

  /// Returns the binding and the key of an object that may be updated to another state, or nil if the object
  /// keeps its values.
  fileprivate func refreshable(_ object: ObjectBase) -> (ObjectBinding, [UInt8])? {
    guard !object.isEnding, let binding = try? binding(of: Swift.type(of: object)),
      !object.hasAssignedProperties(binding.descriptor), let key = try? binding.key(of: object)
    else { return nil }
    return (binding, key)
  }
}

extension Store {
  /// Makes each existing object read the newest state the next time it is used, as code written for Realm
  /// expects of `refresh()`.
  ///
  /// - Returns: whether there were commits since the last call, or since the store was opened. If the store
  ///   cannot be read, the result is `false` and the store reports an event.
  package func refreshHeldObjects() -> Bool {
    do { return try core().refreshHeldObjects() } catch {
      report(error, type: nil)
      return false
    }
  }
}

extension AccessScope {
  /// Updates an existing object of the store to the state of the scope.
  ///
  /// - Throws: ``FiefError`` if the object cannot be read; it then keeps its values.
  fileprivate func refresh(_ object: ObjectBase) throws {
    guard let held = object._context, held.store === store, !held.isFrozen, held.currentScope == nil,
      let (binding, key) = store.refreshable(object),
      let fresh = try key.withUnsafeBytes({ try load(binding, key: $0) })
    else { return }
    object._context = context
    object.take(fresh)
  }
}

/// An observed object or collection, which is updated to the state of a change before the handler is called.
// SAFETY: it is used only where the handler is called, which is also where the application uses the object.
package struct ObservedInstance: @unchecked Sendable {
  private weak var held: AnyObject?

  package init(_ held: AnyObject) { self.held = held }

  /// Updates the object or the collection to the state of a change. Unsaved assignments and frozen objects
  /// stay unchanged.
  ///
  /// - Parameter shown: the instance that the handler receives. A collection without an owner means that the
  ///   object of the collection was deleted.
  package func refresh(like shown: AnyObject) {
    if let collection = held as? OwnedCollection, let shown = shown as? OwnedCollection {
      Self.refresh(collection, like: shown)
    } else if let object = held as? ObjectBase, let scope = (shown as? ObjectBase)?._context?.currentScope {
      do { try scope.refresh(object) } catch {
        scope.store.report(error, type: Swift.type(of: object).className(), property: nil)
      }
    }
  }

  /// Empties a collection whose object was deleted. The collection cannot be saved afterwards, because it
  /// would be stored without its elements.
  private static func empty(_ collection: OwnedCollection) {
    if let root = collection.owner?.root,
      let binding = try? root._context?.store?.binding(of: Swift.type(of: root)),
      root.hasAssignedProperties(binding.descriptor)
    {
      return
    }
    collection.forget()
    collection.noteUnread(FiefError.emptiedCollection)
  }

  private static func refresh(_ collection: OwnedCollection, like shown: OwnedCollection) {
    guard let scope = shown.owner?.root?._context?.currentScope else { return empty(collection) }
    do {
      if let root = collection.owner?.root {
        try scope.refresh(root)
      } else {
        try collection.place?.refresh(collection, in: scope)
      }
      // A large list is otherwise loaded when it is first used, which may be after the handler has returned.
      if let list = collection as? any RandomAccessCollection { _ = list.count }
    } catch {
      collection.report(error)
    }
  }
}
