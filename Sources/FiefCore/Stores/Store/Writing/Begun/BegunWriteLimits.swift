import Dispatch

/// The limits of a write that is begun and ended by calls of its own.
package struct BegunWriteLimits {
  /// The bytes that the write may add to the file before the store has to grow, which such a write cannot wait for.
  package var room = 64 << 20
  /// After how long it is reported that it has not ended.
  package var patience = DispatchTimeInterval.seconds(10)
}
