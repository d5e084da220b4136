import CFiefRuntime
import Foundation

/// The default value of properties of type `Date`: the time at which their object is created.
enum CreationDate {
  /// The number of dates that the calling thread will create next, in an instance for a stored object.
  // SAFETY: the variable belongs to this thread and lives as long as the thread. Only this function accesses
  // it. If it were declared in a header, each object file would have its own variable.
  @inline(never)
  private static func toBeRead() -> UnsafeMutablePointer<Int> { fief_dates_to_be_read() }

  static func now() -> Date {
    let toBeRead = toBeRead()
    if toBeRead.pointee <= 0 { return Date() }
    toBeRead.pointee -= 1
    return Date(timeIntervalSinceReferenceDate: 0)
  }

  /// Creates a value whose unassigned dates are Foundation's reference date, without reading the clock.
  /// Reading the clock takes a tenth of the time of reading an object.
  ///
  /// - Parameter count: the number of dates. An object gets its dates before its `init()` runs, so other
  ///   objects created in `init()` get the actual time.
  @inline(__always)
  static func withoutClock<Value>(_ count: Int, _ create: () -> Value) -> Value {
    let toBeRead = toBeRead()
    let outer = toBeRead.pointee
    toBeRead.pointee = count
    defer { toBeRead.pointee = outer }
    return create()
  }
}
