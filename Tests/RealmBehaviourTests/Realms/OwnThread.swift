import FiefRealm
import Foundation
import Testing

/// A thread that does one thing, waits, and does another one.
final class OwnThread: @unchecked Sendable {
  // SAFETY: `last` is written before the semaphore is signalled that the thread waits for.
  private var last: (() throws -> Void)?
  private let begun = DispatchSemaphore(value: 0)
  private let goesOn = DispatchSemaphore(value: 0)

  func begin(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      body()
      begun.signal()
      goesOn.wait()
      do { try last?() } catch { Issue.record(error) }
    }
    thread.start()
    begun.wait()
  }

  func end(_ body: @escaping @Sendable () throws -> Void) {
    last = body
    goesOn.signal()
  }

  /// Begins a write on a thread of its own, which goes on until the returned one ends it.
  static func begin(_ realm: Realm, _ name: String) -> OwnThread {
    let thread = OwnThread()
    thread.begin {
      realm.beginWrite()
      realm.add(RealmDog(value: ["name": name]))
    }
    return thread
  }
}

extension Realm {
  /// The realm, without reports of begun writes that last long: a busy machine may take its time for a test.
  func patient() throws -> Realm {
    try limitBegunWrites { $0.patience = .seconds(86_400) }
    return self
  }
}
