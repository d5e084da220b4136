extension Row {
  /// The rows that are measured in an encrypted store too, and how much longer or larger each may be there.
  private static let encryptedRows: [String: Goal?] = [
    "A": nil,
    "B": .ratio(1.1),
    "B2": .ratio(1.4),
    "Bu": .ratio(1.1),
    "C": .ratio(2),
    "C_tx": .ratio(2),
    "C_cold": .ratio(2),
    "D": .ratio(2.5),
    "D_cold": .ratio(2.5),
    "E": .ratio(2.5),
    "E_cold": .ratio(2.5),
    "H": nil,
    "M": nil,
    "N": .ratio(1.35),
    "Set_get_10k": nil,
    "Set_add_10k": nil,
    "Set_loop_10k": nil,
    "Map_get_10k": nil,
    "Map_add_10k": nil,
    "Map_loop_10k": nil,
    "T_read": .ratio(2),
  ]

  /// The row of an encrypted store; nil where there is none.
  var encrypted: Row? {
    guard let goal = Self.encryptedRows[name] else { return nil }
    return Row(name: name + "_enc", title: title, unit: unit, times: times, goal: goal, clear: name)
  }
}
