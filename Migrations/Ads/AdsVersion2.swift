import Fief

/// A slot is a place in a market, and both can be asked for.
package enum AdsVersion2: MigrationStep {
  package static let version: UInt64 = 2
  package static let name = "markets"
  package static let description = """
    The slot of a counter is split into its market and its place, and `expiresAt` is called `endsAt`.
    """
  package static var objectTypes: [Object.Type]? { [AdCounter.self] }

  package static func migrate(_ migration: Migration) throws {
    migration.renameProperty(onType: "AdCounter", from: "expiresAt", to: "endsAt")
    try migration.enumerateObjects(ofType: "AdCounter") { old, new in
      guard let old, let new else { return }
      (new["market"], new["place"]) = parts(of: try old.value("slot"))
    }
  }

  /// `EUR/top` is the place `top` in the market `EUR`; a slot without a market is all place.
  static func parts(of slot: String) -> (market: String, place: String) {
    guard let border = slot.firstIndex(of: "/") else { return ("", slot) }
    return (String(slot[..<border]), String(slot[slot.index(after: border)...]))
  }
}
