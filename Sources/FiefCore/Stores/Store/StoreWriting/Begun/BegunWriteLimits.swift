import Dispatch

/// The limits of a begun write, that is, a write that is begun and ended by separate calls.
package struct BegunWriteLimits {
  /// The number of bytes by which the write may enlarge the file before the store must grow. A begun write
  /// cannot wait for growth.
  package var room = 64 << 20
  /// The time after which a write that has not ended is reported.
  package var patience = DispatchTimeInterval.seconds(10)
}
