import Dispatch

/// The limits of a begun write, which separate calls begin and end.
package struct BegunWriteLimits {
  /// The number of bytes that the write may add to the file before the store has to grow. A begun write
  /// cannot wait for growth.
  package var room = 64 << 20
  /// The time after which a write that has not ended is reported.
  package var patience = DispatchTimeInterval.seconds(10)
}
