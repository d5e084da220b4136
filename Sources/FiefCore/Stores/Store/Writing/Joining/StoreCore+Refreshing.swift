import LMDB
import Synchronization

/// Held objects that show a newer state outside of writes.
extension StoreCore {
  /// Lets each held object show the newest state from its next read on. Objects with unsaved assignments and frozen objects keep
  /// their values.
  ///
  /// - Returns: whether there were commits since the last call, or since the store was opened.
  /// - Throws: ``FiefError`` if the store cannot be read.
  fileprivate func refreshHeldObjects() throws -> Bool {
    if activeWrite != nil { return false }
    let commit = try read { $0.id }
    _ = WritingThreadCount.keepsCounting
    return refreshed.exchange(commit, ordering: .sequentiallyConsistent) != commit
  }

  /// Brings a held object to the newest state.
  ///
  /// - Parameter context: the object's own.
  @inline(never)
  func refresh(_ object: ObjectBase, of context: ObjectContext) {
    guard !isClosed, let (binding, key) = refreshable(object) else { return }
    let newest = ObjectContext(store: self, visible: context.visible)
    // Also after a failure, which is reported once and not by each property.
    object._context = newest
    if let fresh = refreshedObject(binding, key, newest) { object.take(fresh) }
  }

  /// Reads an object in the newest state; nil if it does not exist, or cannot be read, which is reported.
  func refreshedObject(_ binding: ObjectBinding, _ key: [UInt8], _ context: ObjectContext) -> ObjectBase? {
    do {
      return try read { transaction in
        try key.withUnsafeBytes { try countedLoad(binding, key: $0, from: transaction, context: context) }
      }
    } catch {
      report(error, type: binding.table.name, property: nil)
      return nil
    }
  }

  /// Returns the binding and the key of an object that may show another state, or nil if the object keeps its values.
  fileprivate func refreshable(_ object: ObjectBase) -> (ObjectBinding, [UInt8])? {
    guard !object.isEnding, let binding = try? binding(of: Swift.type(of: object)),
      !object.hasAssignedProperties(binding.descriptor), let key = try? binding.key(of: object)
    else { return nil }
    return (binding, key)
  }
}

extension Store {
  /// Lets each held object show the newest state from its next read on, as code written for Realm expects of `refresh()`.
  ///
  /// - Returns: whether there were commits since the last call, or since the store was opened; false if the store cannot be read,
  ///   which is an event.
  package func refreshHeldObjects() -> Bool {
    do { return try core().refreshHeldObjects() } catch {
      report(error, type: nil)
      return false
    }
  }
}

extension AccessScope {
  /// Brings a held object of the store to the state of the scope.
  ///
  /// - Throws: ``FiefError`` if the object cannot be read; it keeps its values then.
  fileprivate func refresh(_ object: ObjectBase) throws {
    guard let held = object._context, held.store === store, !held.isFrozen, held.currentScope == nil,
      let (binding, key) = store.refreshable(object),
      let fresh = try key.withUnsafeBytes({ try load(binding, key: $0) })
    else { return }
    object._context = context
    object.take(fresh)
  }
}

/// An object or a collection that is observed, and shows in the handler what the change is about.
// SAFETY: it is only used where the handler is called, which is where the application uses the object.
package struct HeldInstance: @unchecked Sendable {
  private weak var held: AnyObject?

  package init(_ held: AnyObject) { self.held = held }

  /// Brings the object or the collection to the state of a change. Unsaved assignments and frozen objects stay as they are.
  ///
  /// - Parameter shown: the instance that the handler gets. A collection without an owner stands for one whose object was deleted.
  package func refresh(like shown: AnyObject) {
    if let collection = held as? OwnedCollection, let shown = shown as? OwnedCollection {
      Self.refresh(collection, like: shown)
    } else if let object = held as? ObjectBase, let scope = (shown as? ObjectBase)?._context?.currentScope {
      do { try scope.refresh(object) } catch {
        scope.store.report(error, type: Swift.type(of: object).className(), property: nil)
      }
    }
  }

  /// Empties a collection whose object was deleted. It cannot be saved then, since that would store it without its elements.
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
      // A large list is loaded at its first use, which may be after the handler.
      if let list = collection as? any RandomAccessCollection { _ = list.count }
    } catch {
      collection.report(error)
    }
  }
}
