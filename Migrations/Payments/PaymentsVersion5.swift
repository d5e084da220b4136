import Fief

/// Orders earn points, which pay for products later.
package enum PaymentsVersion5: MigrationStep {
  package static let version: UInt64 = 5
  package static let name = "points"
  package static let description = """
    A customer has a card with points, and each change of them is an object of its own. Orders that were placed before \
    earn none.
    """
}
