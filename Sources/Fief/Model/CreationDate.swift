import Foundation

/// The default value of properties of type `Date`: the time at which their object is created.
enum CreationDate {
  /// Set on a thread while it creates an instance for a stored object, whose dates are about to be read.
  private static let reading: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  static func now() -> Date {
    if let reading, pthread_getspecific(reading) != nil { return Date(timeIntervalSinceReferenceDate: 0) }
    return Date()
  }

  /// Creates an instance whose unassigned dates are the reference date of Foundation: the clock is not asked, which would take
  /// as long as a tenth of a read.
  static func withoutClock(_ create: () -> ObjectBase) -> ObjectBase {
    guard let reading else { return create() }
    let outer = pthread_getspecific(reading)
    // SAFETY: the address marks the thread and is never dereferenced.
    _ = pthread_setspecific(reading, UnsafeRawPointer(bitPattern: 1))
    defer { _ = pthread_setspecific(reading, outer) }
    return create()
  }
}
