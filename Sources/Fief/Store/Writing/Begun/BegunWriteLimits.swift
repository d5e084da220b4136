import Dispatch

/// What a write may take that is begun and ended by calls of its own.
package struct BegunWriteLimits {
  /// How much it may add to the file before the store has to grow, which it cannot wait for, in bytes.
  package var room = 64 << 20
  /// After how long it is reported that it has not ended.
  package var patience = DispatchTimeInterval.seconds(10)
}
