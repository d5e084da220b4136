/// The sealer that the check of a seed has unlocked, for the opening of the copy. Deriving a key from a
/// passphrase twice would double the time of the first opening.
package final class UnlockedSealer {
  private var sealer: StoreSealer?

  init(_ sealer: StoreSealer) { self.sealer = sealer }

  deinit { sealer?.wipe() }

  /// Returns the sealer if it belongs to a header. Its new owner wipes it.
  func take(for header: [UInt8]) -> StoreSealer? {
    guard let known = sealer, known.header == header else { return nil }
    sealer = nil
    return known
  }
}
