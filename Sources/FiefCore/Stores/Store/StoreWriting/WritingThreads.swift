import Foundation
import LMDB
import Synchronization

/// The threads on which closures of writes run, and the stores to which each thread writes.
///
/// If a writing thread waited for another store, it could deadlock with a thread that writes to that store
/// and waits for a store of the writing thread.
package enum WritingThreads {
  private static let threads = OwnedLock<[UInt: [String]]>([:])

  /// The names of the stores that the calling thread writes to; nil if no closure of a write runs on it.
  @inline(__always)
  package static var current: [String]? { isAny ? stores : nil }

  @inline(never)
  private static var stores: [String]? { threads.withLock { $0[currentThread()] } }

  /// The scopes of a thread's write.
  private final class Scopes {
    let scopes: [WriteTransaction]
    init(_ scopes: [WriteTransaction]) { self.scopes = scopes }
  }

  private static let scopesKey: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Whether the closure of a write runs on any thread.
  @inline(__always)
  static var isAny: Bool { WritingThreadCount.count.load(ordering: .relaxed) != 0 }

  /// The scopes of the write whose closure runs on the calling thread; empty if the write has no scopes.
  static var scopes: [WriteTransaction] {
    guard isAny, let scopesKey, let known = pthread_getspecific(scopesKey) else { return [] }
    // SAFETY: `run` or `enter` stored it on this thread, and keeps it alive until the pointer is removed.
    return Unmanaged<Scopes>.fromOpaque(known)._withUnsafeGuaranteedRef { $0.scopes.filter(\.isUsable) }
  }

  /// Calls a closure while the calling thread counts as a writing thread.
  ///
  /// - Parameters:
  ///   - stores: the names of the stores that the closure writes to.
  ///   - scopes: the scopes of the closure in these stores.
  package static func run<Value>(
    _ stores: [String],
    _ scopes: [WriteTransaction] = [],
    _ body: () throws -> Value
  )
    rethrows -> Value
  {
    let thread = currentThread()
    let own = Scopes(scopes)
    let outerScopes = scopesKey.flatMap { pthread_getspecific($0) }
    if let scopesKey { pthread_setspecific(scopesKey, Unmanaged.passUnretained(own).toOpaque()) }
    // The thread itself sees the value that it has stored; it does not matter which value other threads see.
    WritingThreadCount.count.add(1, ordering: .relaxed)
    let outer = threads.withLock { $0.updateValue(stores, forKey: thread) }
    defer {
      if let scopesKey { pthread_setspecific(scopesKey, outerScopes) }
      withExtendedLifetime(own) {}
      threads.withLock { $0[thread] = outer }
      WritingThreadCount.count.subtract(1, ordering: .relaxed)
    }
    return try body()
  }

  /// The state of the calling thread before it became a writing thread.
  struct Entry {
    fileprivate let own: AnyObject
    fileprivate let stores: [String]?
    fileprivate let scopes: UnsafeMutableRawPointer?
  }

  /// Makes the calling thread a writing thread, until it calls ``leave(_:)``.
  static func enter(_ store: String, _ scope: WriteTransaction) -> Entry {
    let own = Scopes([scope])
    let outerScopes = scopesKey.flatMap { pthread_getspecific($0) }
    // SAFETY: the entry keeps the scopes alive until `leave` has removed the pointer.
    if let scopesKey { pthread_setspecific(scopesKey, Unmanaged.passUnretained(own).toOpaque()) }
    WritingThreadCount.count.add(1, ordering: .relaxed)
    let outer = threads.withLock { $0.updateValue([store], forKey: currentThread()) }
    return Entry(own: own, stores: outer, scopes: outerScopes)
  }

  /// Restores the state of the calling thread before ``enter(_:_:)``.
  static func leave(_ entry: Entry) {
    if let scopesKey { pthread_setspecific(scopesKey, entry.scopes) }
    threads.withLock { $0[currentThread()] = entry.stores }
    WritingThreadCount.count.subtract(1, ordering: .relaxed)
  }

  /// - Parameter store: the name of a store to which the calling thread does not write.
  /// - Throws: ``FiefError`` of code `nestedWrite` in a write to other stores.
  package static func checkNoOther(than store: String) throws {
    guard let stores = current else { return }
    if let other = stores.first, stores.count == 1 {
      throw FiefError(
        .nestedWrite,
        "A write began inside another store's write; StoreManager.write(to:) writes to both stores together.",
        store: store,
        details: ["the other write's store: \(other)"]
      )
    }
    throw FiefError(
      .nestedWrite,
      "The store is not part of this write to several stores.",
      store: store,
      details: ["its stores: " + stores.sorted().joined(separator: ", ")]
    )
  }
}

extension StoreCore {
  /// - Throws: ``FiefError`` of code `nestedWrite` in the closure of a write to other stores.
  package func checkNoOtherWrite() throws {
    if activeWrite == nil { try WritingThreads.checkNoOther(than: name) }
  }
}
