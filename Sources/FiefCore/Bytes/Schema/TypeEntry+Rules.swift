/// Rules of relationships and derived properties in the catalogue.
extension TypeEntry {
  /// Removes the rules and the derived properties of dropped columns.
  mutating func dropRulesOfDroppedColumns() {
    let dropped = columns.filter(\.isDropped).map(\.id)
    relationships.removeAll { dropped.contains($0.column) }
    derived.removeAll { dropped.contains($0.column) || $0.source.map(dropped.contains) ?? false }
  }

  /// Whether the rules are consistent: their columns exist and have kinds to which the rules can apply.
  var hasConsistentRules: Bool {
    if relationships.isEmpty, derived.isEmpty { return true }
    if isEmbedded { return false }
    var seen: [UInt16] = []
    for rule in relationships {
      guard let column = column(rule.column), !column.isDropped, column.type.isToOne || column.type.isToMany,
        !seen.contains(rule.column), rule.maximum.map({ $0 >= rule.minimum }) ?? true,
        !rule.isRequired || rule.minimum > 0
      else { return false }
      seen.append(rule.column)
    }
    seen = []
    for derived in derived {
      guard let column = column(derived.column), !column.isDropped, !seen.contains(derived.column),
        !primaryKey.contains(derived.column), (derived.source == nil) == (derived.kind == .lastChange),
        (derived.target != nil) == derived.kind.hasTarget, column.type.container == .none
      else { return false }
      seen.append(derived.column)
      guard let source = derived.source else { continue }
      guard let column = self.column(source), !column.isDropped,
        derived.kind.isOfRelationship == (column.type.isToMany || column.type.isToOne)
      else { return false }
    }
    return true
  }
}

extension RelationshipEntry {
  private enum Flag {
    static let minimum: UInt8 = 1
    static let maximum: UInt8 = 2
    /// A flag: the minimum applies only if the relationship is not empty. Used since format 6.
    static let mayBeEmpty: UInt8 = 4
    /// A flag: a class that declares only a minimum of 1 declares the same rule. Used since format 6.
    static let leastOne: UInt8 = 8
  }

  func append(to writer: inout ValueWriter, format: UInt32 = Catalogue.currentFormat) {
    writer.appendInteger(column)
    writer.appendInteger(deleteRule.rawValue)
    var flags = (minimum > 0 ? Flag.minimum : 0) | (maximum == nil ? 0 : Flag.maximum)
    if mayBeEmpty { flags |= Flag.mayBeEmpty }
    if mayBeLeastOne, format >= Catalogue.formatWithOptionalMinimum { flags |= Flag.leastOne }
    writer.appendInteger(flags)
    if minimum > 0 { writer.appendInteger(UInt32(clamping: minimum)) }
    if let maximum { writer.appendInteger(UInt32(clamping: maximum)) }
  }

  /// Whether the relationship has a minimum that does not apply while it is empty.
  var mayBeEmpty: Bool { minimum > 0 && !isRequired }

  init(from reader: inout ValueReader, format: UInt32) throws(FiefError) {
    column = try reader.integer(UInt16.self)
    guard let rule = DeleteRule(rawValue: try reader.integer(UInt8.self)) else { throw Catalogue.damaged }
    deleteRule = rule
    let flags = try reader.integer(UInt8.self)
    minimum = flags & Flag.minimum == 0 ? 0 : Int(try reader.integer(UInt32.self))
    maximum = flags & Flag.maximum == 0 ? nil : Int(try reader.integer(UInt32.self))
    if format >= Catalogue.formatWithOptionalMinimum {
      isRequired = minimum > 0 && flags & Flag.mayBeEmpty == 0
      mayBeLeastOne = isRequired && minimum == 1 && flags & Flag.leastOne != 0
    } else {
      // A minimum above 1 was declared with this value. Both a required relationship and a declared minimum
      // of 1 were stored as 1.
      isRequired = minimum == 1
      mayBeLeastOne = isRequired
    }
  }
}

extension DerivedEntry {
  private enum Flag {
    static let source: UInt8 = 1
    static let target: UInt8 = 2
  }

  func append(to writer: inout ValueWriter) {
    writer.appendInteger(column)
    writer.appendInteger(kind.rawValue)
    writer.appendInteger((source == nil ? 0 : Flag.source) | (target == nil ? 0 : Flag.target))
    if let source { writer.appendInteger(source) }
    if let target { writer.appendSized { $0.append(target) } }
  }

  init(from reader: inout ValueReader) throws(FiefError) {
    column = try reader.integer(UInt16.self)
    guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else { throw Catalogue.damaged }
    self.kind = kind
    let flags = try reader.integer(UInt8.self)
    if flags & Flag.source != 0 { source = try reader.integer(UInt16.self) }
    if flags & Flag.target != 0 { target = String(decoding: try reader.sized(), as: UTF8.self) }
  }
}
