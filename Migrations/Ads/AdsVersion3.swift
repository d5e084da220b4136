import Fief

/// A counter is known by its market and its place.
package enum AdsVersion3: MigrationStep {
  package static let version: UInt64 = 3
  package static let name = "a key of two parts"
  package static let description = """
    The market and the place of a counter are its key, and the slot, which said the same, is gone. What clicks cost \
    is counted.
    """

  // Nothing to do: the key is made from values that the objects have.
}
